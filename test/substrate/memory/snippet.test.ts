import Parser from "tree-sitter";
import python from "tree-sitter-python";
import { describe, expect, it } from "vitest";
import { dedent, snippetLines } from "../../../src/substrate/memory/snippet.ts";

const source = [
  "class A:",
  "    def f(self):",
  "        return 1",
  "",
  "    def g(self):",
  "        return 2",
];
const places = (output: string) =>
  snippetLines(output).map(({ file, number, text }) => [file, number, text]);

describe("snippetLines", () => {
  it.each([
    ["cat -n", (line: string, number: number) => `     ${number}\t${line}`],
    ["nl -ba in two digits", (line: string, number: number) => `    ${number}\t${line}`],
    ["arrows", (line: string, number: number) => `${number}→${line}`],
    ["grep -n", (line: string, number: number) => `${number}:${line}`],
  ])("takes the numbers of %s off and keeps them", (_, prefix) => {
    expect(places(source.map((line, index) => prefix(line, index + 1)).join("\n"))).toEqual(
      source.map((line, index) => [null, index + 1, line]),
    );
  });

  it("takes file and line of grep over several files, with context lines", () => {
    const output = [
      "pkg/m.py:12:def f(a):",
      "pkg/m.py-13-    return a",
      "--",
      "pkg/m.py:40:    f(1)",
      "./pkg/n.py:3:from m import f",
      "docs/m.rst:7:text",
    ].join("\n");
    expect(places(output)).toEqual([
      ["pkg/m.py", 12, "def f(a):"],
      ["pkg/m.py", 13, "    return a"],
      ["pkg/m.py", 40, "    f(1)"],
      ["./pkg/n.py", 3, "from m import f"],
      ["docs/m.rst", 7, "text"],
    ]);
  });

  it.each([
    ["arrows from the middle", "12→def f(a):\n13→    return a", [12, 13]],
    ["grep -n -A", "12:def f(a):\n13-    return a", [12, 13]],
  ])("%s", (_, output, numbers) => {
    expect(places(output)).toEqual([
      [null, numbers[0], "def f(a):"],
      [null, numbers[1], "    return a"],
    ]);
  });

  it("takes the file alone when grep gave no number", () => {
    expect(places("pkg/m.py:import os\npkg/n.py:import sys")).toEqual([
      ["pkg/m.py", null, "import os"],
      ["pkg/n.py", null, "import sys"],
    ]);
  });

  it("reads the new side of a diff", () => {
    const output = [
      "diff --git a/pkg/m.py b/pkg/m.py",
      "--- a/pkg/m.py",
      "+++ b/pkg/m.py",
      "@@ -11,3 +11,3 @@ import os",
      " def f(a):",
      "-    return a",
      "+    return a + 1",
      " ",
      "\\ No newline at end of file",
    ].join("\n");
    expect(places(output)).toEqual([
      ["pkg/m.py", 11, "def f(a):"],
      ["pkg/m.py", 12, "    return a + 1"],
      ["pkg/m.py", 13, ""],
    ]);
  });

  it.each([
    ["a sum", "1 + 2"],
    ["a dict inside code", 'codes = {\n    12: "x",\n    13: "y",\n}'],
    ["a dict taken out of it", '12: "x",\n13: "y",'],
    ["a difference", "3-1\n4-1"],
  ])("does not take %s for a prefix", (_, output) => {
    expect(snippetLines(output).map(({ text }) => text)).toContain(output.split("\n")[0]);
  });

  it("begins again where numbers fall, as between two files", () => {
    expect(places("1\ta\n2\tb\n1\tc")).toEqual([
      [null, 1, "a"],
      [null, 2, "b"],
      [null, 1, "c"],
    ]);
  });
});

describe("a numbered listing", () => {
  it("parses, and its definitions stand at the listed lines", () => {
    const listing = source.map((line, index) => `     ${index + 1}\t${line}`).join("\n");
    const lines = snippetLines(listing);
    const parser = new Parser();
    parser.setLanguage(python as Parser.Language);
    const root = parser.parse(lines.map(({ text }) => text).join("\n")).rootNode;
    const definitions = root
      .descendantsOfType(["class_definition", "function_definition"])
      .map((node) => [
        node.childForFieldName("name")?.text,
        lines[node.startPosition.row]?.number,
        lines[node.endPosition.row]?.number,
      ]);
    expect(root.hasError).toBe(false);
    expect(definitions).toEqual([
      ["A", 1, 6],
      ["f", 2, 3],
      ["g", 5, 6],
    ]);
  });
});

describe("dedent", () => {
  it("takes off what all lines share, blank lines aside", () => {
    expect(dedent(["    def f():", "", "        pass"])).toBe("def f():\n\n    pass");
    expect(dedent([])).toBe("");
    expect(dedent(["", "  "])).toBe("\n  ");
  });
});
