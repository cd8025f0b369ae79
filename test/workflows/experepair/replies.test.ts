import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  editsIn,
  locationsIn,
  numbersIn,
  pathsIn,
  scriptIn,
  tagIn,
} from "../../../src/workflows/experepair/replies.ts";

const fence = "```";
const files = new Set(["src/a.py", "src/b.py", "README.md"]);

describe("scriptIn", () => {
  it.each([
    ["one block", `Because.\n${fence}python\nprint(1)\n${fence}\n`, "python", "print(1)\n"],
    ["the last of two", `${fence}py\n1\n${fence}\n${fence}Python\n2\n${fence}`, "python", "2\n"],
    ["bash", `${fence}sh\necho\n${fence}`, "bash", "echo\n"],
    ["one before output", `${fence}python\n1\n${fence}\n${fence}\n1\n${fence}`, "python", "1\n"],
    [
      "a fence inside a line",
      `${fence}python\nx = "${fence}"\n${fence}`,
      "python",
      `x = "${fence}"\n`,
    ],
    ["what a NUL stands in", `${fence}python\na\0b\n${fence}`, "python", "ab\n"],
  ])("takes %s", (_, reply, lang, text) => {
    expect(scriptIn(reply)).toEqual({ lang, text });
  });

  it.each([
    ["nothing", ""],
    ["prose", "I would write a script that imports the module."],
    ["a block without a language", `${fence}\nprint(1)\n${fence}`],
    ["another language", `${fence}json\n{}\n${fence}`],
    ["an empty block", `${fence}python\n\n${fence}`],
    ["a block that was cut", `${fence}python\nprint(1)\n`],
    ["a fence alone", fence],
  ])("finds none in %s", (_, reply) => {
    expect(scriptIn(reply)).toBeNull();
  });
});

describe("tagIn", () => {
  it.each([
    ["<advice> be brief </advice>", "be brief"],
    ["<advice>draft</advice> no: <advice>final</advice>", "final"],
    ["<advice>a <b>bold</b> word</advice>", "a <b>bold</b> word"],
    ["<advice></advice>", ""],
    ["<advice>never closed", null],
    ["closed</advice> before <advice>", null],
    ["", null],
  ])("reads %j", (reply, expected) => {
    expect(tagIn(reply, "advice")).toBe(expected);
  });
});

describe("pathsIn", () => {
  it.each([
    ["a fenced list", `I think:\n${fence}\nsrc/b.py\nsrc/a.py\n${fence}`, ["src/b.py", "src/a.py"]],
    ["bullets and numbers", "- `src/a.py`\n2. src/b.py", ["src/a.py", "src/b.py"]],
    ["a leading ./ or /", "./src/a.py\n/README.md", ["src/a.py", "README.md"]],
    ["each once", "src/a.py\nsrc/a.py", ["src/a.py"]],
    ["no others", `${fence}\n../../etc/passwd\nsrc/none.py\nsrc/a.py; rm -rf\n${fence}`, []],
    ["nothing in nothing", "", []],
  ])("reads %s", (_, reply, expected) => {
    expect(pathsIn(reply, files, 10)).toEqual(expected);
  });

  it("stops at so many", () => {
    expect(pathsIn("src/a.py\nsrc/b.py\nREADME.md", files, 2)).toEqual(["src/a.py", "src/b.py"]);
  });
});

describe("locationsIn", () => {
  const a = (from: number, to: number) => ({ file: "src/a.py", from, to });
  it.each([
    ["a range", "src/a.py:3-9", [a(3, 9)]],
    ["a line", "- src/a.py:7", [a(7, 7)]],
    ["spaces and remarks", "src/a.py: 3 - 9 (the check)", [a(3, 9)]],
    ["what is far too long", "src/a.py:1-9999999", [a(1, 400)]],
    ["no line 0", "src/a.py:0-4", []],
    ["nothing backwards", "src/a.py:9-3", []],
    ["no other file", "src/c.py:1-2\n/etc/passwd:1-2", []],
    ["nothing in prose", "The check in src/a.py is wrong.", []],
  ])("reads %s", (_, reply, expected) => {
    expect(locationsIn(reply, files)).toEqual(expected);
  });
});

const edit = (file: string, original: string, patched: string) =>
  `<edit>\n<file>${file}</file>\n<original>\n${original}</original>\n<patched>\n${patched}</patched>\n</edit>`;

describe("editsIn", () => {
  it("reads edits, white space as it stands", () => {
    const reply = `Cause.\n${edit("src/a.py", "  x = 1\n", "  x = 2\n\n")}\n${edit("n.py", "", "new\n")}`;
    expect(editsIn(reply, 3)).toEqual([
      { file: "src/a.py", original: "  x = 1\n", patched: "  x = 2\n\n" },
      { file: "n.py", original: "", patched: "new\n" },
    ]);
  });

  it.each([
    ["", "it holds no edit"],
    ["Change x to 2.", "it holds no edit"],
    ["<edit><file>src/a.py</file>", "it holds no edit"],
    [edit("a", "1\n", "2\n").repeat(4), "it holds 4 edits, and 3 are allowed"],
    ["<edit><file>a</file></edit>", "an edit lacks its file, original or patched text"],
    [edit("../a", "1\n", "2\n"), "an edit names a path outside the repository"],
    [edit("/etc/passwd", "1\n", "2\n"), "an edit names a path outside the repository"],
    [edit(".git/hooks/x", "", "2\n"), "an edit names a path outside the repository"],
    [edit("a", "1\n", "1\n"), "an edit changes nothing"],
    [edit("a", "", ""), "an edit changes nothing"],
  ])("refuses %j: %s", (reply, reason) => {
    expect(editsIn(reply, 3)).toBe(reason);
  });
});

describe("numbersIn", () => {
  it.each([
    ["<ranking>2, 1,3</ranking>", [2, 1, 3]],
    ["<ranking>[3, 1]</ranking>", [3, 1]],
    ["<ranking>3 3 1 9 0</ranking>", [3, 1]],
    ["<ranking></ranking>", []],
    ["<ranking>the second</ranking>", null],
    ["<ranking>-1</ranking>", null],
    ["2, 1, 3", null],
    ["", null],
  ])("reads %j", (reply, expected) => {
    expect(numbersIn(reply, "ranking", 3)).toEqual(expected);
  });
});

describe("any reply", () => {
  const piece = fc.constantFrom(
    "<edit>",
    "</edit>",
    "<file>",
    "<original>",
    "</patched>",
    fence,
    `${fence}python\n`,
    "<ranking>",
    "</ranking>",
    "src/a.py:1-2\n",
    "\0",
    "\ud800",
    "1,",
    "\n",
  );

  const readAll = (reply: string) => ({
    script: scriptIn(reply),
    advice: tagIn(reply, "advice"),
    paths: [...pathsIn(reply, files, 3), ...locationsIn(reply, files).map(({ file }) => file)],
    edits: editsIn(reply, 3),
    numbers: numbersIn(reply, "ranking", 3) ?? [],
  });

  it("is read without throwing, and gives nothing but what was asked for", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        const { script, paths, edits, numbers } = readAll(pieces.join(""));
        expect(script?.text).not.toBe("");
        expect([...files]).toEqual(expect.arrayContaining(paths));
        expect(edits.length).toBeGreaterThan(0);
        expect([1, 2, 3]).toEqual(expect.arrayContaining([...numbers]));
      }),
    );
  });

  it.each(["<edit>", `${fence}a\n`, "<file>", "<edit><file></edit>", ":", "1,", "src/a.py:"])(
    "is read in one pass, though it repeats %j",
    (part) => {
      readAll(part.repeat(100_000));
    },
  );
});
