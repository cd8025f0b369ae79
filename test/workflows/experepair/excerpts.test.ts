import { describe, expect, it } from "vitest";
import {
  excerptOf,
  mergePlaces,
  numberedText,
  outlineOf,
  treeText,
} from "../../../src/workflows/experepair/excerpts.ts";

describe("treeText", () => {
  const files = ["README.md", "src/a.py", "tests/test_a.py"];
  it.each([
    ["all where they fit", 100, files.join("\n")],
    ["sources where they do not", 25, "src/a.py\ntests/test_a.py"],
    ["sources without tests", 20, "src/a.py"],
  ])("shows %s", (_, chars, expected) => {
    expect(treeText(files, chars)).toBe(expected);
  });

  it("cuts at a whole path", () => {
    expect(treeText(["a/one.py", "a/two.py"], 12)).toBe("a/one.py");
  });
});

describe("outlineOf", () => {
  it.each([
    [
      "Python",
      "import x\nclass A:\n    @property\n    def b(self):\n        return 1\n",
      "2\tclass A:\n4\t    def b(self):",
    ],
    [
      "JavaScript",
      "export function a() {\n  return 1;\n}\nconst b = (x) => x;\n",
      "1\texport function a() {\n4\tconst b = (x) => x;",
    ],
    ["prose", "Some words.\n", ""],
  ])("finds the declarations of %s", (_, text, expected) => {
    expect(outlineOf(text)).toBe(expected);
  });
});

describe("numberedText", () => {
  it("shows a long text as its outline", () => {
    expect(numberedText("a\nb", 10)).toBe("1\ta\n2\tb");
    expect(numberedText("def a():\n    return 1", 10)).toBe("1\tdef a():");
  });
});

describe("mergePlaces", () => {
  const place = (file: string, from: number, to: number) => ({ file, from, to });

  it("widens, joins what touches, and keeps files apart", () => {
    const places = [place("b", 40, 40), place("a", 1, 2), place("b", 44, 50), place("b", 60, 61)];
    expect(mergePlaces(places, 2)).toEqual([
      place("b", 38, 52),
      place("b", 58, 63),
      place("a", 1, 4),
    ]);
  });
});

describe("excerptOf", () => {
  it("shows lines as they stand, or numbered, up to the end of the text", () => {
    const text = "one\n  two\nthree";
    expect(excerptOf(text, { file: "a", from: 2, to: 9 }, false)).toBe(
      "a, lines 2 to 3:\n<code>\n  two\nthree\n</code>",
    );
    expect(excerptOf(text, { file: "a", from: 1, to: 1 }, true)).toBe(
      "a, lines 1 to 1:\n<code>\n1\tone\n</code>",
    );
  });
});
