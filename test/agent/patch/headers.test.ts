import { describe, expect, it } from "vitest";
import { filesOf } from "../../../src/agent/patch/headers.ts";

const filesIn = (...lines: string[]) => filesOf(Buffer.from(`${lines.join("\n")}\n`, "latin1"));

describe("filesOf", () => {
  it.each<[string, string[], string[]]>([
    ["nothing", [""], []],
    [
      "a change",
      [
        "diff --git a/src/a.py b/src/a.py",
        "index 1..2 100644",
        "--- a/src/a.py",
        "+++ b/src/a.py",
        "@@ -1 +1 @@",
        "-1",
        "+2",
      ],
      ["src/a.py"],
    ],
    [
      "a new empty file",
      ["diff --git a/e b/e", "new file mode 100644", "index 0000000..e69de29"],
      ["e"],
    ],
    [
      "a mode change",
      ["diff --git a/run me.sh b/run me.sh", "old mode 100644", "new mode 100755"],
      ["run me.sh"],
    ],
    [
      "a new and a deleted file",
      [
        "diff --git a/n b/n",
        "--- /dev/null",
        "+++ b/n",
        "@@ -0,0 +1 @@",
        "+1",
        "diff --git a/o b/o",
        "--- a/o",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-1",
      ],
      ["n", "o"],
    ],
    [
      "a rename",
      ["diff --git a/a b c b/a b", "similarity index 100%", "rename from a b c", "rename to a b"],
      ["a b", "a b c"],
    ],
    [
      "a copy with quoted names",
      ['diff --git "a/\\303\\251" b/x', 'copy from "\\303\\251"', "copy to x"],
      ["x", "é"],
    ],
    [
      "quoted names",
      ['diff --git "a/q\\"\\\\\\t\\n.py" "b/q\\"\\\\\\t\\n.py"', "new file mode 100644"],
      ['q"\\\t\n.py'],
    ],
    ["a name that is not UTF-8", ['diff --git "a/\\377.py" "b/\\377.py"'], ['"\\377.py"']],
    [
      "a name with a space and the tab after it",
      ["--- a/a b\t", "+++ b/a b\t", "@@ -1 +1 @@", "-1", "+2"],
      ["a b"],
    ],
    [
      "a plain diff with times",
      [
        "--- a/x.py\t2026-01-01 00:00:00",
        "+++ b/x.py\t2026-01-01 00:00:00",
        "@@ -1 +1 @@",
        "-1",
        "+2",
      ],
      ["x.py"],
    ],
    [
      "a binary file",
      [
        "diff --git a/b.bin b/b.bin",
        "GIT binary patch",
        "literal 2",
        "JcmZQzWMBXQ00961",
        "",
        "literal 0",
        "HcmV?d00001",
        "",
      ],
      ["b.bin"],
    ],
    ["other prefixes", ["diff --git i/a.py w/a.py", "--- i/a.py", "+++ w/a.py"], ["a.py"]],
    ["carriage returns", ["diff --git a/a b/a\r", "--- a/a\r", "+++ b/a\r"], ["a"]],
    ["prose with dashes", ["--- not a header", "text", "+++ nor this"], []],
  ])("of %s", (_, lines, files) => {
    expect(filesIn(...lines)).toEqual(files);
  });

  it("takes no line of a hunk for a header", () => {
    expect(
      filesIn(
        "diff --git a/q.sql b/q.sql",
        "--- a/q.sql",
        "+++ b/q.sql",
        "@@ -1,3 +1,3 @@ -- x",
        "--- a/removed comment",
        "+++ b/added line",
        " diff --git a/z b/z",
        "",
        "\\ No newline at end of file",
        "diff --git a/next b/next",
        "old mode 100644",
      ),
    ).toEqual(["next", "q.sql"]);
  });
});
