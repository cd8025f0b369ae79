import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outcomeSummary, speechSummary, viewOf } from "../../../src/substrate/memory/node.ts";
import { headOf, tailOf, tokensOf } from "../../../src/substrate/memory/text.ts";

describe("viewOf", () => {
  it("keeps what fits", () => {
    expect(viewOf("x".repeat(4_000), 4_000)).toBe("x".repeat(4_000));
  });

  it("keeps head and tail of what does not, and says how much is missing", () => {
    const view = viewOf(`${"h".repeat(3_000)}${"t".repeat(3_000)}`, 4_000);
    expect(view).toBe(`${"h".repeat(2_400)}\n…[2050 chars elided]…\n${"t".repeat(1_550)}`);
  });

  it("never exceeds the cap or cuts a character in two", () => {
    const text = fc.string({ unit: "binary", minLength: 150, maxLength: 900 });
    fc.assert(
      fc.property(text, fc.integer({ min: 200, max: 400 }), (whole, cap) => {
        const view = viewOf(whole, cap);
        expect(view.length).toBeLessThanOrEqual(Math.max(cap, 0));
        expect(view).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  it("is quick with ten million characters", () => {
    expect(viewOf("x".repeat(10_000_000), 4_000).length).toBeLessThanOrEqual(4_000);
  });
});

describe("cutting text", () => {
  it.each([
    ["ab😀", 3, "ab", "b😀"],
    ["ab😀", 4, "ab😀", "ab😀"],
    ["😀", 1, "", ""],
    ["abc", 0, "", ""],
  ])("%s to %i units", (text, length, head, tail) => {
    expect(headOf(text, length)).toBe(head);
    expect(tailOf(text, length)).toBe(tail);
  });

  it.each([
    ["", 0],
    ["abcd", 1],
    ["abcde", 2],
  ])("%j is so many tokens: %i", (text, tokens) => {
    expect(tokensOf(text)).toBe(tokens);
  });
});

describe("summaries", () => {
  it.each([
    [
      "the first error line",
      "pytest -x",
      1,
      "==== test session ====\nE   AssertionError: 1 != 2\nFAILED t.py::a",
      "pytest -x → rc 1: E   AssertionError: 1 != 2",
    ],
    ["else the first line", "ls", 0, "\n\nsetup.py\nsrc", "ls → rc 0: setup.py"],
    ["nothing printed", "true", 0, "", "true → rc 0"],
    ["no command, no code", null, null, "x", "(no command) → rc ?: x"],
  ])("of a result: %s", (_, action, code, output, summary) => {
    expect(outcomeSummary(action, code, output)).toBe(summary);
  });

  it.each([
    ["The bug is in base.py. I will fix it.", "The bug is in base.py."],
    ["\n  First line\nSecond", "First line"],
    ["", ""],
  ])("of what was said: %j", (text, summary) => {
    expect(speechSummary(text)).toBe(summary);
  });

  it("hold at most 160 characters", () => {
    expect(outcomeSummary("x".repeat(300), 0, "y")).toHaveLength(160);
    expect(speechSummary("x".repeat(300))).toHaveLength(160);
  });
});
