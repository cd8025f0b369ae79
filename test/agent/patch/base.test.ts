import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { forgetBase, snapshotBase } from "../../../src/agent/patch/base.ts";
import { extractPatch } from "../../../src/agent/patch/extract.ts";
import { open, sh, temporaryFolder, withBase, workTree } from "./work-tree.ts";

describe("snapshotBase", () => {
  it("takes the work tree as it stands and HEAD's commit", async () => {
    const { folder, base } = await workTree(
      { "a.py": "x = 1\n", "b.py": "b\n", ".gitignore": "*.log\n" },
      "echo 'x = 2' > a.py; rm b.py; echo n > new.py; git add -N new.py; echo u > untracked.py; echo l > run.log",
    );
    expect(base).toMatchObject({
      commit: sh(folder, "git rev-parse HEAD").trim(),
      top: folder,
      files: [".gitignore", "a.py", "new.py", "untracked.py"],
    });
    sh(folder, "git add -A");
    expect(base.tree).toBe(sh(folder, "git write-tree").trim());
  });

  it("leaves index, HEAD, refs, stash, reflog and objects as they were", async () => {
    const folder = temporaryFolder();
    sh(folder, "git init -q && git config user.name A && git config user.email a@b");
    sh(
      folder,
      "echo 1 > a; echo 1 > b; git add . && git commit -qm x && git gc -q && echo 2 > a && git stash -q && echo 3 > b && git add b && echo 4 > c",
    );
    const state = () => sh(folder, "find .git -type f -print0 | sort -z | xargs -0 sha1sum");
    const before = state();
    const marker = join(temporaryFolder(), "marker");
    sh(folder, `touch -d "1 hour ago" a b c; sleep 0.02; touch ${marker}`);
    const { environment, base } = await withBase(folder);
    await extractPatch(environment, base, { maxFileBytes: 1000 });
    expect(state()).toBe(before);
    expect(sh(folder, `find .git -name '*.pack' -newer ${marker}`)).toBe("");
  });

  it("holds the agent's changes apart from the user's", async () => {
    const tree = await workTree(
      { "a.py": "1\n2\n3\n" },
      "sed -i 's/1/user/' a.py; echo mine > mine.py",
    );
    tree.act("sed -i 's/3/agent/' a.py; git commit -qam all");
    const patch = await tree.extract();
    expect(Buffer.from(patch.bytes).toString().split("@@\n")[1]).toBe(" user\n 2\n-3\n+agent\n");
    expect(patch.record).toMatchObject({ files: ["a.py"], applies: true });
  });

  const committed = "git -c user.name=A -c user.email=a@b commit -q --allow-empty -m x";
  it.each([
    ["on a branch without a commit", "git init -q", null],
    ["in an empty repository with a commit", `git init -q && ${committed}`, 40],
    ["with sha256 names", `git init -q --object-format=sha256 && ${committed}`, 64],
  ])("works %s", async (_, script, length) => {
    const folder = temporaryFolder();
    sh(folder, script);
    const tree = await withBase(folder);
    expect(tree.base.commit?.length ?? null).toBe(length);
    expect(tree.base.files).toEqual([]);
    tree.act("echo 1 > new.py");
    expect((await tree.extract()).record).toMatchObject({ files: ["new.py"], applies: true });
  });

  it("takes the whole repository when commands start in a folder of it", async () => {
    const { folder } = await workTree({ "a.py": "1\n", "sub/b.py": "1\n" });
    const environment = await open(join(folder, "sub"));
    const base = await snapshotBase(environment);
    onTestFinished(() => forgetBase(environment, base));
    sh(folder, "echo 2 > a.py; echo 2 > sub/b.py; echo t > sub/test_x.py");
    const { record } = await extractPatch(environment, base, { maxFileBytes: 1000 });
    expect(base.top).toBe(folder);
    expect(record.files).toEqual(["a.py", "sub/b.py", "sub/test_x.py"]);
  });

  it("works in a linked work tree, with a split index and in the middle of a conflict", async () => {
    const { folder } = await workTree({ "a.py": "1\n" });
    const linked = join(temporaryFolder(), "linked");
    sh(
      folder,
      `git worktree add -q ${linked} -b side && cd ${linked} && git update-index --split-index &&
      echo 2 > a.py && git commit -qam 2 && git checkout -q main 2>/dev/null || true`,
    );
    sh(folder, "echo 3 > a.py && git commit -qam 3");
    sh(linked, "git merge main >/dev/null 2>&1 || true");
    const tree = await withBase(linked);
    tree.act("echo 4 > a.py");
    expect((await tree.extract()).record).toMatchObject({ files: ["a.py"], applies: true });
  });

  it("is not led astray by names", async () => {
    const folder = join(temporaryFolder(), 'it\'s a $(touch x) "folder"\\n');
    mkdirSync(folder);
    sh(folder, "git init -q; touch -- -a 'b c'");
    const tree = await withBase(folder);
    tree.act("echo 1 > ./-a");
    expect((await tree.extract()).record.files).toEqual(["-a"]);
  });

  it("refuses a folder that is not a repository", async () => {
    const environment = await open(temporaryFolder());
    await expect(snapshotBase(environment)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(
        /is not a git repository with a work tree: fatal: not a git .*git init/s,
      ),
    });
  });

  it("refuses a bare repository", async () => {
    const folder = temporaryFolder();
    sh(folder, "git init -q --bare");
    await expect(snapshotBase(await open(folder))).rejects.toMatchObject({ code: "usage" });
  });

  it("says that git is missing", async () => {
    const environment = await open(temporaryFolder());
    const withoutGit = {
      ...environment,
      execute: (command: string) =>
        environment.execute(`PATH=/nowhere\n${command}`, { timeoutSec: 9 }),
    };
    await expect(snapshotBase(withoutGit)).rejects.toMatchObject({
      code: "usage",
      message:
        "git was not found where the commands run: install it there, or take an image that has it.",
    });
  });

  it("says that the record of the start is gone", async () => {
    const { environment, base } = await workTree({ "a.py": "1\n" });
    rmSync(base.store, { recursive: true });
    await expect(extractPatch(environment, base, { maxFileBytes: 1 })).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining(base.store),
    });
  });

  it("says that the repository is gone", async () => {
    const { folder, base } = await workTree({ "a.py": "1\n" });
    rmSync(folder, { recursive: true });
    const elsewhere = await open(temporaryFolder());
    await expect(extractPatch(elsewhere, base, { maxFileBytes: 1 })).rejects.toMatchObject({
      code: "environment_lost",
      message: `The repository's folder ${folder} is gone.`,
    });
    mkdirSync(folder);
  });

  it("is forgotten without a trace", async () => {
    const { environment, base } = await workTree({ "a.py": "1\n" });
    expect(existsSync(base.store)).toBe(true);
    await forgetBase(environment, base);
    expect(existsSync(base.store)).toBe(false);
  });
});
