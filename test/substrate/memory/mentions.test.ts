import { describe, expect, it } from "vitest";
import { mentionedFiles } from "../../../src/substrate/memory/mentions.ts";

const known = new Set(["setup.py", "src/a.py"]);
const context = { root: "/testbed", isKnown: (file: string) => known.has(file) };

describe("mentionedFiles", () => {
  it.each([
    ["a traceback", 'File "/testbed/django/core/base.py", line 3', ["django/core/base.py"]],
    ["grep", "./src/a.py:12:import os\nlib/b.js:3:x", ["src/a.py", "lib/b.js"]],
    [
      "the end of a sentence",
      "See docs/ref.rst. Also src/a.py, please.",
      ["docs/ref.rst", "src/a.py"],
    ],
    ["a bare name that is known", "setup.py and other.py", ["setup.py"]],
    ["a diff of a known file", "--- a/src/a.py\n+++ b/src/a.py", ["src/a.py"]],
    ["an installed package", "/usr/lib/python3/site.py ../up/x.py https://x.org/y.html", []],
    ["compiled files and versions", "src/a.pyc 1.2/3.4", []],
    ["each file once", "src/a.py src/a.py", ["src/a.py"]],
  ])("%s", (_, text, files) => {
    expect(mentionedFiles(text, context)).toEqual(files);
  });

  it("takes absolute paths for foreign when nobody said where the repository lies", () => {
    expect(mentionedFiles("/testbed/src/a.py", { ...context, root: null })).toEqual([]);
  });
});
