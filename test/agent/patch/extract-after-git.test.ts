import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sh, textOf, withBase, workTree } from "./work-tree.ts";

const files = { "a.py": "x = 1\n", "lib/b.py": "b = 1\n", "c.py": "c = 1\n" };

const expected = `diff --git a/a.py b/a.py
index 7d4290a117a4ddcc11daae7ea675841033830c8f..407de3068e7b5950585d5abed9776d104235a85d 100644
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-x = 1
+x = 2
diff --git a/lib/b.py b/lib/b.py
index 6e5be2548650d2c9d8fce04df1198113316001c0..a678603086571121e788f9031b5403340d4b2656 100644
--- a/lib/b.py
+++ b/lib/b.py
@@ -1 +1 @@
-b = 1
+b = 2
diff --git a/lib/new.py b/lib/new.py
new file mode 100644
index 0000000000000000000000000000000000000000..4a3f3148a6563c03794f7e788da042e0d5214f98
--- /dev/null
+++ b/lib/new.py
@@ -0,0 +1 @@
+n = 1
`;

/** Everything in a repository that taking a patch must not touch. */
const gitState = `export GIT_OPTIONAL_LOCKS=0; git rev-parse HEAD; cat .git/HEAD; sha1sum .git/index; git for-each-ref
  git reflog --all; git stash list; git status --porcelain; find .git -newer .git/config -name '*.lock'`;

describe("extractPatch, whatever was done with git", () => {
  it("takes committed, staged and unstaged work and leaves index, HEAD and refs alone", async () => {
    const tree = await workTree(files);
    tree.act("sed -i 's/1/2/' a.py && git commit -qam fix");
    tree.act("echo 'b = 2' > lib/b.py && git add lib/b.py && echo 'c = 2' > c.py");
    const before = tree.act(gitState);
    const patch = await tree.extract();
    expect(patch.record.files).toEqual(["a.py", "c.py", "lib/b.py"]);
    expect(patch.record.applies).toBe(true);
    expect(tree.act(gitState)).toBe(before);
    expect(sh(tree.applied(patch), "git diff --name-only")).toBe("a.py\nc.py\nlib/b.py\n");
  });

  it.each([
    ["switched branch", "git checkout -qb other && git commit -qam x"],
    ["detached HEAD", "git commit -qam x && git checkout -q --detach"],
    [
      "lost every ref and object",
      "git checkout -q --orphan new && git commit -qam x && git branch -D main && git reflog expire --expire=now --all && git gc -q --prune=now",
    ],
    ["left a stale lock", "touch .git/index.lock .git/HEAD.lock"],
    ["removed .git", "rm -rf .git"],
    [
      "made .git anew",
      "rm -rf .git && git init -q && git config user.name B && git config user.email b@example.org && git add -A && git commit -qm all",
    ],
    [
      "broke .git",
      "echo nonsense > .git/HEAD; echo '[[' > .git/config; head -c 100 /dev/urandom > .git/index",
    ],
    [
      "hid the change from git",
      "git update-index --assume-unchanged a.py && git update-index --skip-worktree lib/b.py",
    ],
    [
      "set every option that changes a diff",
      `
      for option in diff.noprefix=true diff.mnemonicPrefix=true diff.external=/bin/false color.ui=always \\
        core.autocrlf=true core.fileMode=false core.quotePath=false diff.context=0 diff.renames=copies \\
        diff.algorithm=patience diff.ignoreSubmodules=none diff.up.textconv=rev core.whitespace=cr-at-eol \\
        apply.whitespace=fix core.pager=less core.fsmonitor=/bin/false core.worktree=/nowhere; do
        git config "\${option%%=*}" "\${option#*=}" || true; done
      echo '*.py diff=up filter=x text eol=crlf' > .git/info/attributes`,
    ],
    [
      "installed hooks",
      `for hook in pre-commit post-index-change post-checkout; do
      printf '#!/bin/sh\\ntouch "$(dirname "$0")/ran"; exit 1\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done`,
    ],
  ])("gives the same patch after the agent %s", async (_, script) => {
    const tree = await workTree(files);
    tree.act("echo 'x = 2' > a.py && echo 'b = 2' > lib/b.py && echo 'n = 1' > lib/new.py");
    tree.act(script);
    const patch = await tree.extract();
    expect(textOf(patch)).toBe(expected);
    expect(patch.record).toMatchObject({
      files: ["a.py", "lib/b.py", "lib/new.py"],
      applies: true,
    });
  });

  it("ignores the variables that lead git elsewhere", async () => {
    const { folder } = await workTree(files);
    const tree = await withBase(folder, { GIT_DIR: "/nowhere", GIT_EXTERNAL_DIFF: "/bin/false" });
    tree.act("echo 'x = 2' > a.py");
    expect((await tree.extract()).record.files).toEqual(["a.py"]);
  });

  it("is empty when the work was stashed", async () => {
    const tree = await workTree(files);
    tree.act("echo 'x = 2' > a.py && git stash -q");
    expect((await tree.extract()).bytes).toHaveLength(0);
    tree.act("git stash pop -q");
    expect((await tree.extract()).record.files).toEqual(["a.py"]);
  });

  it("sees a change of the same size made at the same time stamp", async () => {
    const tree = await workTree(files);
    tree.act("touch -r a.py stamp && echo 'x = 2' > a.py && touch -r stamp a.py && rm stamp");
    expect((await tree.extract()).record.files).toEqual(["a.py"]);
  });

  it("does not depend on the owner of the repository", async (context) => {
    if (process.getuid?.() !== 0) return context.skip("only root can give a folder away");
    const tree = await workTree(files);
    sh(tree.folder, "chown -R 65534:65534 .");
    expect(() => sh(tree.folder, "git status")).toThrow();
    const again = await withBase(tree.folder);
    again.act("echo 'x = 2' > a.py");
    const patch = await again.extract();
    expect(patch.record).toMatchObject({ files: ["a.py"], applies: true });
    expect(again.base.commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it("goes on when the repository says things that git cannot read", async () => {
    const tree = await workTree(files);
    tree.act(
      "echo 'x = 2' > a.py && echo '[[' > .gitmodules && printf '%3000s a=b\\n' x > .gitattributes",
    );
    const patch = await tree.extract();
    expect(patch.record).toMatchObject({
      files: [".gitattributes", ".gitmodules", "a.py"],
      applies: true,
    });
  });

  it("keeps a file whose mode forbids writing", async () => {
    const tree = await workTree(files);
    tree.act("echo 'x = 2' > a.py");
    chmodSync(join(tree.folder, "a.py"), 0o444);
    const patch = await tree.extract();
    expect(readFileSync(join(tree.applied(patch), "a.py"), "utf8")).toBe("x = 2\n");
  });
});
