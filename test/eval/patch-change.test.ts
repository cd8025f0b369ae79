import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { changesCode } from "../../src/eval/patch-change.ts";
import { capable } from "../capabilities.ts";

function diffOf(lines: readonly string[], path = "src/area.py"): string {
  const before = lines.filter((line) => !line.startsWith("+")).length;
  const after = lines.filter((line) => !line.startsWith("-")).length;
  const header = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`];
  return [...header, `@@ -1,${before} +1,${after} @@ def area():`, ...lines, ""].join("\n");
}

describe("changesCode", () => {
  it.each([
    { name: "another line", lines: [" a = 1", "-b = 2", "+b = 3"], is: true },
    { name: "a line more", lines: [" a = 1", "+b = 3"], is: true },
    { name: "a line less", lines: [" a = 1", "-b = 3"], is: true },
    { name: "a line elsewhere", lines: ["-a = 1", " b = 2", "+a = 1"], is: true },
    { name: "another indentation", lines: [" if a:", "-    b()", "+b()"], is: true },
    { name: "a blank line more", lines: [" a = 1", "+", "+  ", " b = 2"], is: false },
    { name: "white space at an end", lines: ["-a = 1", "+a = 1   "], is: false },
    { name: "other ends of lines", lines: ["-a = 1\r", "+a = 1"], is: false },
    { name: "a comment", lines: [" a = 1", "-# once", "+    # twice"], is: false },
    { name: "a comment behind code", lines: ["-a = 1", "+a = 1  # one"], is: true },
    {
      name: "a lost last newline",
      lines: ["-a = 1", "+a = 1", "\\ No newline at end of file"],
      is: false,
    },
    {
      name: "removed lines that look like a header",
      lines: ["--- a/b.py", "+++ b/b.py"],
      is: true,
    },
  ])("$name: $is", ({ lines, is }) => {
    expect(changesCode(diffOf(lines))).toBe(is);
  });

  it("knows comments by the file's language", () => {
    const hash = [" a", "+# b"];
    const slashes = [" a", "+  // b"];
    expect(changesCode(diffOf(hash, "lib/area.js"))).toBe(true);
    expect(changesCode(diffOf(slashes, "lib/area.js"))).toBe(false);
    expect(changesCode(diffOf(slashes))).toBe(true);
    expect(changesCode(diffOf(hash, "README.rst"))).toBe(true);
  });

  it.each([
    { name: "nothing", text: "", is: false },
    { name: "white space", text: " \n\n", is: false },
    { name: "prose", text: "Done:\n- mended the area\n+ more\n", is: false },
    {
      name: "a header alone",
      text: "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n",
      is: false,
    },
    { name: "a mailed patch's end", text: `${diffOf([" a", "+"])}-- \n2.39.5\n`, is: false },
    {
      name: "an empty new file",
      text: "diff --git a/p/__init__.py b/p/__init__.py\nnew file mode 100644\nindex 0000000..e69de29\n",
      is: true,
    },
    {
      name: "a moved file",
      text: "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
      is: true,
    },
    {
      name: "another mode",
      text: "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
      is: true,
    },
    {
      name: "bytes",
      text: "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo\n",
      is: true,
    },
    {
      name: "a hunk with wrong counts",
      text: diffOf([" a", "-b", "+c"]).replace("@@ -1,2 +1,2", "@@ -1,1 +1,1"),
      is: true,
    },
    { name: "a line outside of any hunk", text: "--- a/x.py\n+++ b/x.py\n+c\n", is: true },
  ])("$name: $is", ({ text, is }) => {
    expect(changesCode(text)).toBe(is);
  });

  it("sees each file with its own comments", () => {
    const both = `${diffOf([" a", "+# b"])}${diffOf([" a", "+# b"], "lib/area.js")}`;
    expect(changesCode(both)).toBe(true);
  });

  it("holds for any added lines: there is code, or there is none", () => {
    const lines = fc.array(fc.constantFrom("", "   ", "# a", "  # b", "c = 1", "    d()"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(lines, (added) => {
        const isCode = added.some((line) => line.trim() !== "" && !line.trim().startsWith("#"));
        expect(changesCode(diffOf([" a = 1", ...added.map((line) => `+${line}`)]))).toBe(isCode);
      }),
    );
  });
});

const folder = process.env["PMCODER_DATA"] ?? "";

describe.runIf(capable("data", () => folder !== ""))("SWE-bench Verified", () => {
  it("has patches that change code, every one", () => {
    const text = readFileSync(join(folder, "verified.jsonl"), "utf8").trim();
    const Row = z.object({ patch: z.string(), test_patch: z.string() });
    const rows = text.split("\n").map((line) => Row.parse(JSON.parse(line)));
    const patches = rows.flatMap(({ patch, test_patch }) => [patch, test_patch]);
    expect(patches).toHaveLength(1000);
    expect(patches.filter((patch) => !changesCode(patch))).toEqual([]);
  });
});
