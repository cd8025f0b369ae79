import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/workflows/unified-diff.ts";

const folder = mkdtempSync(join(tmpdir(), "pmcoder-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git makes of a file and a patch. */
function applied(before: string | null, patch: string): string {
  const file = join(folder, "a.txt");
  rmSync(file, { force: true });
  if (before !== null) writeFileSync(file, before);
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: folder,
    input: patch,
    stdio: ["pipe", "ignore", "pipe"],
  });
  return readFileSync(file, "utf8");
}

const lines = (...numbers: readonly (number | string)[]) => numbers.map((n) => `${n}\n`).join("");

describe("unifiedDiff", () => {
  it("shows two changes that are far apart as two hunks", () => {
    const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    const after = lines(1, "two", 3, 4, 5, 6, 7, 8, 9, 10, "new", 11, 12);
    expect(unifiedDiff("a.txt", before, after)).toMatchInlineSnapshot(`
      "diff --git a/a.txt b/a.txt
      --- a/a.txt
      +++ b/a.txt
      @@ -1,5 +1,5 @@
       1
      -2
      +two
       3
       4
       5
      @@ -8,5 +8,6 @@
       8
       9
       10
      +new
       11
       12
      "
    `);
    expect(applied(before, unifiedDiff("a.txt", before, after))).toBe(after);
  });

  it.each([
    ["a new file", null, "x\ny"],
    ["a new empty file", null, ""],
    ["a file made empty", "x\n", ""],
    ["an empty file filled", "", "x\n"],
    ["a line end at the end", "x", "x\n"],
    ["no line end at the end", "x\ny\n", "x\ny"],
    ["carriage returns", "x\r\ny\r\n", "x\r\nz\r\n"],
    ["lines that look like a diff", "--- a\n+++ b\n", "--- a\n@@ -1 +1 @@\n"],
  ])("git takes %s", (_, before, after) => {
    expect(applied(before, unifiedDiff("a.txt", before, after))).toBe(after);
  });

  it("is nothing where nothing changed", () => {
    expect(unifiedDiff("a.txt", "x\n", "x\n")).toBe("");
  });

  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n"), { maxLength: 40 })
    .chain((parts) => fc.constantFrom("", "end").map((end) => parts.join("") + end));

  it("leads from any text to any other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        expect(applied(before, unifiedDiff("a.txt", before, after))).toBe(after);
      }),
      { numRuns: 150 },
    );
  });
});
