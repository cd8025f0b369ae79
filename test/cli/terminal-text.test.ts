import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, visible, widthOf } from "../../src/cli/terminal-text.ts";

describe("a visible text", () => {
  it.each([
    ["  ls -l \n", "ls -l"],
    ["cat <<E\nfoo\nE", "cat <<E⏎foo⏎E"],
    ["a\r\nb", "a⏎b"],
    ["a\tb", "a␉b"],
    ["\u001b[2Jrm", "␛[2Jrm"],
    ["a\0b\u007f", "a␀b␡"],
    ["a\u009bb", "a<U+009B>b"],
    ["a\u202eb\u200bc", "a<U+202E>b<U+200B>c"],
    ["a\ud800b", "a<U+D800>b"],
    ["naïve 漢字 🎉", "naïve 漢字 🎉"],
  ])("of %j is %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("never holds a character that acts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });
});

describe("a cut line", () => {
  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["漢字漢字", 8, "漢字漢字"],
    ["漢字漢字", 7, "漢字漢…"],
    ["漢字漢字", 6, "漢字…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
    ["", 0, ""],
  ])("%j in %i columns is %j", (line, columns, result) => {
    expect(cut(line, columns)).toBe(result);
  });

  it("fits, and is the line itself when that fits", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 30 }).map(visible);
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 40 }), (text, columns) => {
        expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns);
        if (widthOf(text) <= columns) expect(cut(text, columns)).toBe(text);
      }),
    );
  });
});
