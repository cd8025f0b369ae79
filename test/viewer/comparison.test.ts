import { describe, expect, it } from "vitest";
import { compareMain } from "../../src/viewer/compare-page.ts";
import { compare } from "../../src/viewer/comparison.ts";
import type { Told } from "../eval/episodes.ts";
import { viewOf } from "./recordings.ts";

describe("a comparison", () => {
  it.each<[string, readonly (string | Told)[], readonly (string | Told)[], number | null]>([
    ["at the first command that differs", ["ls", "cat a"], ["ls", "cat b"], 2],
    [
      "nowhere, whatever the model says beside",
      [{ commands: ["ls"], thought: "A" }],
      ["ls "],
      null,
    ],
    ["where one of them ends", ["ls", "cat a"], ["ls"], 2],
    ["where one reply holds no call", ["ls"], [{ commands: null }], 1],
    ["where one runs more in a step", [{ commands: ["ls", "pwd"] }], ["ls"], 1],
  ])("parts %s", (_, left, right, parting) => {
    expect(compare(viewOf(left), viewOf(right)).parting).toBe(parting);
  });

  it("folds away what is the same, and shows the rest of both", () => {
    const both = compare(viewOf(["ls", "cat a.py", "true"]), viewOf(["ls", "cat b.py"]));
    const { text } = compareMain(both, { cap: 1000 });
    const [shared = "", rest = ""] = text.split('id="parting"');
    expect(shared).toContain("Step 1 ran the same");
    expect(shared.match(/<article/g)).toHaveLength(2);
    expect(rest).toContain("They part at step 2");
    expect(rest.match(/<article/g)).toHaveLength(3);
    expect(rest).toContain("It has ended.");
    expect(new Set(text.match(/id="[^"]+"/g)).size).toBe(text.match(/id="[^"]+"/g)?.length);
  });
});
