import { describe, expect, it } from "vitest";
import { cutText, fold } from "../../src/viewer/folding.ts";

const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at + 1}`).join("\n");

describe("fold", () => {
  it.each([
    ["a short text", lines(10), null, ""],
    ["a long text", lines(11), 3, "3 more lines"],
    ["one endless line", "x".repeat(300), 1, "200 more characters"],
    ["an empty text", "", null, ""],
  ])("folds %s", (_, text, rest, more) => {
    const folded = fold(text, { lines: 8, chars: 100 });
    expect(folded.rest?.split("\n").length ?? null).toBe(rest);
    expect(folded.more).toBe(more);
  });

  it("loses nothing", () => {
    const text = lines(40);
    const { open, rest } = fold(text, { lines: 8, chars: 1000 });
    expect(`${open}\n${rest}`).toBe(text);
  });
});

describe("cutText", () => {
  it("keeps head and tail, and says how much is missing", () => {
    const cut = cutText(`${"a".repeat(600)}${"b".repeat(600)}`, 1000);
    expect(cut).toMatch(/^a{600}\n… 200 characters are left out of this page …\nb{400}$/);
  });

  it("keeps what fits", () => {
    expect(cutText("short", 5)).toBe("short");
  });
});
