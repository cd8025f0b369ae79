import { describe, expect, it } from "vitest";
import { readBase, restoreBase } from "../../../src/agent/patch/restore.ts";
import { sh, workTree } from "./work-tree.ts";

/** Names, modes, link targets and contents of everything but git's own. */
const listing = (folder: string) =>
  sh(folder, "find . -name .git -prune -o ! -type d -printf '%p %m %l\\n' -exec cat {} + | sort");

const files = {
  "a.txt": "1\n2\n",
  "src/b.py": "x = 1\n",
  "crlf.txt": "1\r\n",
  run: "#!/bin/sh\n",
  ".gitignore": "*.pyc\n",
};

const restoring = async (before: string, script: string) => {
  const tree = await workTree(files, before);
  const { folder, environment, base } = tree;
  const expected = listing(folder);
  tree.act(script);
  expect(listing(folder)).not.toBe(expected);
  await restoreBase(environment, base);
  return { after: listing(folder), expected };
};

describe("restoreBase", () => {
  it.each([
    ["a changed file", "echo 3 >> a.txt"],
    ["a file that is gone, with its folder", "rm -r src"],
    [
      "new files with odd names",
      "mkdir -p 'new dir'; touch 'new dir/a b' \"$(printf 'x\\ny')\" -- -z",
    ],
    ["a mode", "chmod +x run"],
    ["a folder in place of a file", "rm a.txt; mkdir a.txt; echo 1 > a.txt/b"],
    ["a link in place of a folder", "rm -r src; ln -s /etc src"],
    ["other ignore rules", "echo 'new*' > .gitignore; touch new.txt"],
    ["line ends", "printf '1\\n' > crlf.txt"],
    ["a commit and a stash", "echo 3 >> a.txt; git commit -qam x; echo 4 >> a.txt; git stash -q"],
    [
      "an edit of the same length at the same time",
      "sed -i s/1/9/ src/b.py; touch -r a.txt src/b.py",
    ],
    ["a whole new repository", "git init -q nested; touch nested/file"],
  ])("takes back %s", async (_, script) => {
    const { after, expected } = await restoring("", script);
    expect(after).toBe(expected);
  });

  it("leaves what stood beside the base: uncommitted work is part of it, nested repositories stay", async () => {
    const before =
      "echo own >> a.txt; touch own.txt; git init -q nested; touch nested/file kept.pyc";
    const { after, expected } = await restoring(before, "echo 3 > a.txt; rm own.txt");
    expect(after).toBe(expected);
    expect(after).toContain("nested/file");
  });

  it("leaves new files that are ignored", async () => {
    const { after, expected } = await restoring("", "touch made.pyc; echo 3 > a.txt");
    expect(after.replace(/^\.\/made\.pyc.*\n/m, "")).toBe(expected);
  });
});

describe("readBase", () => {
  it("reads what the base has, whatever stands there now; a link is its path", async () => {
    const { environment, base, act } = await workTree(files, "ln -s /etc/passwd link");
    act("echo changed > a.txt; rm -r src");
    const read = async (path: string) => {
      const bytes = await readBase(environment, base, path);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(await read("a.txt")).toBe("1\n2\n");
    expect(await read("src/b.py")).toBe("x = 1\n");
    expect(await read("crlf.txt")).toBe("1\r\n");
    expect(await read("link")).toBe("/etc/passwd");
    for (const path of ["none", "src", "../a.txt", "", "'; touch oops; '"]) {
      expect(await read(path)).toBeNull();
    }
  });
});
