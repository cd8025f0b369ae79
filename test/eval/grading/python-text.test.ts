import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strip, universalNewlines, words } from "../../../src/eval/grading/python-text.ts";

describe("text as Python reads it", () => {
  it.each([
    ["  a  b ", ["a", "b"]],
    ["a\u001cb\u0085c\u00a0d\u2028e\u3000f", ["a", "b", "c", "d", "e", "f"]],
    ["a\ufeffb\u200bc\0d", ["a\ufeffb\u200bc\0d"]],
    ["", []],
  ])("%j has the words %j", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("gives the first words only, and strips what separates them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(4), (text, most) => {
        expect(words(text, most)).toEqual(words(text).slice(0, most));
        expect(words(strip(text))).toEqual(words(text));
        expect(strip(text)).toBe(strip(strip(text)));
      }),
    );
  });

  it("has one line end", () => {
    expect(universalNewlines("a\r\nb\rc\n\r\n")).toBe("a\nb\nc\n\n");
  });
});
