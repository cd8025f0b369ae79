import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkedIssues, namedNumbers } from "../../../src/experience/repomem/links.ts";
import { compared, containment, overlaps } from "../../../src/experience/repomem/overlap.ts";

const target = "the flush method is never called on the wrapped stream during migrate";

describe("overlap of an issue with the target", () => {
  it.each([
    ["flush method is never called on the console", 0.75, true],
    ["stream wrapper ignores encoding on windows hosts", 0, false],
    ["flush method is", 0, false],
    ["", 0, false],
  ])("%j shares %d of its runs of five words", (title, share, drops) => {
    expect(compared(target).grams.size).toBe(8);
    expect(containment(title, compared(target))).toBe(share);
    expect(overlaps({ title, body: "" }, compared(target))).toBe(drops);
  });

  it("is the same title, whatever marks and case it has", () => {
    const text = compared("Crash in `parse`!\nlong story");
    expect(overlaps({ title: "crash in parse", body: "another" }, text)).toBe(true);
    expect(overlaps({ title: "", body: "another" }, compared("\n\n"))).toBe(false);
  });

  it("is one text with the beginning of the other", () => {
    const long = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");
    const tail = Array.from({ length: 400 }, (_, n) => `other${n}`).join(" ");
    expect(overlaps({ title: long, body: tail }, compared(`mine\n${long}`))).toBe(true);
  });

  it("is whole with itself and grows with no word taken away", () => {
    const sentence = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(sentence, (all) => {
        const text = all.join(" ");
        expect(containment(text, compared(text))).toBe(1);
        const share = containment(text, compared(all.slice(1).join(" ")));
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("issues that a message links", () => {
  it.each([
    ["Fixes #12", ["12"]],
    ["fixed issue #7 and closes #8, refs #9", ["7", "8", "9"]],
    ["Fixed #31 -- Made it so", ["31"]],
    ["Make it so (#45)\n\nSee #46.", ["46", "45"]],
    ["Merge pull request #5 from x", []],
    ["Make (#45) it so", []],
    ["prefix #3", []],
    ["", []],
  ])("%j: %j", (message, numbers) => {
    expect(linkedIssues(message)).toEqual(numbers);
  });

  it("names other numbers too", () => {
    expect(namedNumbers("Merge #5, not a#b, #6.")).toEqual(["5", "6"]);
  });
});
