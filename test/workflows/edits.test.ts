import { describe, expect, it } from "vitest";
import { applyEdits, isPlainPath, patchOf } from "../../src/workflows/edits.ts";

const base: Record<string, string> = { "a.py": "x = 1\nx = 1\n", "b.py": "y\n" };
const read = async (path: string) => base[path] ?? null;

describe("applyEdits", () => {
  it.each([
    ["one edit", [["a.py", "x = 1\n", "x = 2\n"]], { "a.py": "x = 2\nx = 1\n" }],
    [
      "edits upon each other",
      [
        ["a.py", "x = 1\n", "z\n"],
        ["a.py", "z\nx", "w"],
      ],
      { "a.py": "w = 1\n" },
    ],
    ["a new file", [["c.py", "", "new\n"]], { "c.py": "new\n" }],
    ["signs of a replacement pattern", [["b.py", "y", "$& $1"]], { "b.py": "$& $1\n" }],
  ] as const)("lays %s", async (_, rows, expected) => {
    const edits = rows.map(([file, original, patched]) => ({ file, original, patched }));
    const overlay = await applyEdits(edits, read);
    if (typeof overlay === "string") throw new Error(overlay);
    expect(Object.fromEntries(overlay)).toEqual(expected);
  });

  it.each([
    ["other indentation", "a.py", " x = 1"],
    ["a file that is not there", "d.py", "x"],
    ["nothing in a file that is there", "a.py", ""],
  ])("refuses %s", async (_, file, original) => {
    expect(await applyEdits([{ file, original, patched: "" }], read)).toBe(
      `edit 1 of ${file} does not fit the file`,
    );
  });
});

describe("patchOf", () => {
  it("puts files in order, and leaves out those that are as before", async () => {
    const overlay = new Map([
      ["c.py", "new\n"],
      ["b.py", "y\n"],
      ["a.py", "x = 1\n"],
    ]);
    expect(await patchOf(overlay, read)).toMatchInlineSnapshot(`
      "diff --git a/a.py b/a.py
      --- a/a.py
      +++ b/a.py
      @@ -1,2 +1 @@
       x = 1
      -x = 1
      diff --git a/c.py b/c.py
      new file mode 100644
      --- /dev/null
      +++ b/c.py
      @@ -0,0 +1 @@
      +new
      "
    `);
  });
});

describe("isPlainPath", () => {
  it.each(["a.py", "src/a b/c-d.py", ".github/x.yml"])("takes %s", (path) => {
    expect(isPlainPath(path)).toBe(true);
  });

  it.each(["", "/etc/passwd", "../a", "a/../b", "a//b", ".git/config", "a\nb", "a'b", "./a", " a"])(
    "refuses %j",
    (path) => {
      expect(isPlainPath(path)).toBe(false);
    },
  );
});
