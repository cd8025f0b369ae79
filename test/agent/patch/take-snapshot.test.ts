import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshotBase } from "../../../src/agent/patch/base.ts";
import {
  laySnapshot,
  type Snapshot,
  takeSnapshot,
  withoutScratch,
} from "../../../src/agent/patch/take-snapshot.ts";
import { open, sh, temporaryFolder, type WorkTree, withBase, workTree } from "./work-tree.ts";

const maxFileBytes = 20_000_000;
const take = ({ environment, base }: WorkTree, known = base.tree) =>
  takeSnapshot(environment, base, { maxFileBytes, known });

async function taken(tree: WorkTree): Promise<Snapshot> {
  const snapshot = await take(tree);
  if (snapshot === null) throw new Error("nothing has changed");
  return snapshot;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const submitted = ({ patch }: Snapshot) => latin1(withoutScratch(patch));

/** Names, modes, link targets and contents of everything but git's own. */
const listing = (folder: string) =>
  sh(folder, "find . -name .git -prune -o ! -type d -printf '%p %m %l\\n' -exec cat {} + | sort");

const files = {
  "a.txt": "1\n2\n3\n",
  "src/b.py": "x = 1\n",
  "crlf.txt": "1\r\n2\r\n",
  run: "#!/bin/sh\n",
};

describe("takeSnapshot", () => {
  it("is null for the known tree, and names it again when it comes back", async () => {
    const tree = await workTree(files);
    expect(await take(tree)).toBeNull();
    tree.act("echo 4 >> a.txt");
    const changed = await taken(tree);
    expect(await take(tree, changed.tree)).toBeNull();
    tree.act("git checkout -q a.txt");
    expect(await take(tree, changed.tree)).toEqual({ tree: tree.base.tree, patch: Buffer.of() });
  });

  it("leaves the caches of tools and ignored files out", async () => {
    const tree = await workTree({ ...files, ".gitignore": "*.o\n" });
    tree.act("mkdir __pycache__ && echo 1 > __pycache__/b.pyc && echo 1 > x.o");
    expect(await take(tree)).toBeNull();
  });
});

describe("a saved state", () => {
  it.each([
    { name: "an edit", script: "sed -i s/2/two/ a.txt" },
    { name: "an edit within carriage returns", script: "sed -i 's/2/two/' crlf.txt" },
    { name: "no newline at the end", script: "printf x >> a.txt" },
    { name: "a new file in a new folder", script: "mkdir -p d/e && echo 1 > 'd/e/f g.txt'" },
    { name: "scratch", script: "echo 'print(1)' > repro.py && echo 1 > out.log" },
    { name: "a deletion", script: "rm a.txt" },
    { name: "a move", script: "git mv src/b.py src/c.py && echo 'y = 2' >> src/c.py" },
    { name: "a mode", script: "chmod +x a.txt && chmod -x run" },
    { name: "bytes", script: "head -c 3000 /dev/urandom > blob.bin; printf '\\0' >> a.txt" },
    { name: "a link", script: "ln -s a.txt link && rm run && ln -s /nowhere run" },
    { name: "a file where a folder was", script: "rm -r src && echo 1 > src" },
    { name: "a folder where a file was", script: "rm a.txt && mkdir a.txt && echo 1 > a.txt/x" },
    { name: "names of any bytes", script: "echo 1 > $'na\\nme'; echo 1 > $'\\xff \"q\\\\'" },
    { name: "an empty file", script: ": > empty; : > a.txt" },
    {
      name: "text like a patch",
      script: "printf -- '--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\ndiff --git a/y b/y\\n' > src/p.txt",
    },
    { name: "work that was committed", script: "echo 4 >> a.txt && git commit -qam more" },
  ])("comes back byte for byte: $name", async ({ script }) => {
    const tree = await workTree(files);
    const pristine = join(temporaryFolder(), "pristine");
    sh(tree.folder, `cp -a . ${pristine}`);
    tree.act(script);
    const { tree: name, patch } = await taken(tree);
    const other = await withBase(pristine);
    await laySnapshot(other.environment, other.base, patch);
    expect(listing(pristine)).toBe(listing(tree.folder));
    expect(await take(other, name)).toBeNull();
  });

  it("is laid in an environment without a repository of its own settings", async () => {
    const tree = await workTree(files);
    const pristine = join(temporaryFolder(), "pristine");
    sh(tree.folder, `cp -a . ${pristine}`);
    sh(pristine, "git config core.autocrlf true && git config core.whitespace cr-at-eol");
    tree.act("printf '1\\r\\n' > new.txt; sed -i 's/$/ /' a.txt");
    const { patch } = await taken(tree);
    const environment = await open(pristine);
    await laySnapshot(environment, await snapshotBase(environment), patch);
    expect(listing(pristine)).toBe(listing(tree.folder));
  });

  it("is refused where it does not fit, and then nothing of it is laid", async () => {
    const tree = await workTree(files);
    tree.act("sed -i s/2/two/ a.txt; echo 1 > new.txt");
    const { patch } = await taken(tree);
    const other = await workTree({ ...files, "a.txt": "one\ntwo\n" });
    const laid = laySnapshot(other.environment, other.base, patch);
    await expect(laid).rejects.toMatchObject({ code: "internal" });
    expect(sh(other.folder, "git status --porcelain")).toBe("");
  });
});

describe("withoutScratch", () => {
  it("drops the scratch files that a state made, and keeps what was edited", async () => {
    const tree = await workTree({ ...files, "test_old.py": "1\n" });
    tree.act(`
      echo 'print(1)' > repro.py
      echo 1 > "the output.log"
      head -c 500 /dev/urandom > debug_core.bin
      echo 2 > test_old.py
      echo 'x = 2' > src/b.py
      echo 1 > src/test_new.py`);
    const patch = submitted(await taken(tree));
    expect(patch.match(/^diff --git .*$/gm)).toEqual([
      "diff --git a/src/b.py b/src/b.py",
      "diff --git a/src/test_new.py b/src/test_new.py",
      "diff --git a/test_old.py b/test_old.py",
    ]);
    expect(patch).toBe(latin1((await tree.extract()).bytes));
  });

  it("is not misled by what files hold", async () => {
    const tree = await workTree(files);
    const lines = "diff --git a/repro.py b/repro.py\\nnew file mode 100644\\n--- /dev/null\\n";
    tree.act(
      `printf '${lines}' > src/b.py; printf '${lines}' > repro.py; printf 'x\\r' >> crlf.txt`,
    );
    const patch = submitted(await taken(tree));
    expect(patch).toContain("+diff --git a/repro.py b/repro.py\n+new file mode 100644\n");
    expect(patch).toBe(latin1((await tree.extract()).bytes));
  });

  it("has nothing to drop from nothing", () => {
    expect(withoutScratch(new Uint8Array())).toHaveLength(0);
  });
});
