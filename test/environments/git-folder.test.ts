import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  copyRepository,
  findRepository,
  type Workspace,
} from "../../src/environments/workspace.ts";
import { repository, sh, stateOf, temporaryFolder } from "./repositories.ts";

async function copyOf(folder: string): Promise<Workspace> {
  const found = await findRepository(folder);
  const into = temporaryFolder();
  return copyRepository({ repository: found, into, mode: "full", limitBytes: 2 ** 31 });
}

const files = { "a.py": "x = 1\n" };
const work =
  "git rev-parse --absolute-git-dir; echo 3 > a.py; git add -A; git commit -qm 3; git branch more; git tag t; git config x.y z; git stash -q 2>/dev/null; git gc -q --prune=now; git worktree prune";

describe("the git folder of a copy is its own", () => {
  it("when the original is a linked work tree", async () => {
    const main = repository(files, "git branch other; echo 'x = 9' > a.py; git add a.py");
    const linked = join(temporaryFolder(), "linked");
    sh(
      main,
      `git worktree add -q ${linked} -b side; cd ${linked}; echo 'x = 2' > a.py; git add a.py; echo 'x = 3' > a.py`,
    );
    const before = stateOf(main) + stateOf(linked);
    const status =
      "git symbolic-ref HEAD; git status --porcelain; git branch; git log --oneline; git diff --cached";
    const copy = await copyOf(linked);
    expect(sh(copy.top, status).replaceAll("+ main", "  main")).toBe(
      sh(linked, `export GIT_OPTIONAL_LOCKS=0; ${status}`).replaceAll("+ main", "  main"),
    );
    expect(sh(copy.top, work).split("\n")[0]).toBe(join(copy.top, ".git"));
    expect(stateOf(main) + stateOf(linked)).toBe(before);
  });

  it("when the original is a linked work tree of a bare repository", async () => {
    const main = repository(files);
    const bare = join(temporaryFolder(), "bare.git");
    const linked = join(temporaryFolder(), "linked");
    sh(main, `git clone -q --bare . ${bare}; git -C ${bare} worktree add -q ${linked}`);
    const copy = await copyOf(linked);
    expect(sh(copy.top, "git status --porcelain; git rev-parse --is-bare-repository")).toBe(
      "false\n",
    );
  });

  it("when the original is a submodule", async () => {
    const inner = repository(files);
    const outer = repository(
      {},
      `git -c protocol.file.allow=always submodule --quiet add ${inner} sub; git commit -qm s`,
    );
    const before = stateOf(outer);
    const copy = await copyOf(join(outer, "sub"));
    expect(sh(copy.top, work).split("\n")[0]).toBe(join(copy.top, ".git"));
    expect(stateOf(outer)).toBe(before);
  });

  it.each([
    ["relative", "true"],
    ["absolute", 'echo "gitdir: $PWD/.git/modules/sub" > sub/.git'],
  ])("and so are those of its submodules, named by %s paths", async (_, change) => {
    const inner = repository(files);
    const outer = repository(
      {},
      `git -c protocol.file.allow=always submodule --quiet add ${inner} sub; git commit -qm s; ${change}`,
    );
    const before = stateOf(outer);
    const copy = await copyOf(outer);
    const sub = join(copy.top, "sub");
    expect(sh(sub, "git rev-parse --show-toplevel --absolute-git-dir")).toBe(
      `${sub}\n${copy.top}/.git/modules/sub\n`,
    );
    sh(sub, work);
    expect(stateOf(outer)).toBe(before);
    expect(copy.leftOut).toEqual([]);
  });

  it("and so are those of submodules of a linked work tree", async () => {
    const inner = repository(files);
    const outer = repository(
      {},
      `git -c protocol.file.allow=always submodule --quiet add ${inner} sub; git commit -qm s`,
    );
    const linked = join(temporaryFolder(), "linked");
    sh(
      outer,
      `git worktree add -q ${linked}; cd ${linked}; git -c protocol.file.allow=always submodule --quiet update --init`,
    );
    const before = stateOf(outer) + stateOf(linked);
    const copy = await copyOf(linked);
    const sub = join(copy.top, "sub");
    expect(sh(sub, "git rev-parse --show-toplevel --absolute-git-dir")).toBe(
      `${sub}\n${copy.top}/.git/modules/sub\n`,
    );
    sh(sub, work);
    expect(stateOf(outer) + stateOf(linked)).toBe(before);
  });

  it("when the original's is a link", async () => {
    const top = repository(files);
    const real = join(temporaryFolder(), "real.git");
    sh(top, `mv .git ${real}; ln -s ${real} .git`);
    const before = stateOf(real);
    const copy = await copyOf(top);
    expect(sh(copy.top, work).split("\n")[0]).toBe(join(copy.top, ".git"));
    expect(stateOf(real)).toBe(before);
  });

  it("when its configuration names a work tree", async () => {
    const top = repository(files, 'git config core.worktree "$PWD"');
    const copy = await copyOf(top);
    expect(sh(copy.top, "git rev-parse --show-toplevel")).toBe(`${copy.top}\n`);
    sh(copy.top, "git rm -q a.py");
    expect(existsSync(join(top, "a.py"))).toBe(true);
  });

  it("and knows nothing of the original's other work trees and locks", async () => {
    const linked = join(temporaryFolder(), "linked");
    const top = repository(
      files,
      `git worktree add -q ${linked}; git worktree add -q inside; touch .git/index.lock`,
    );
    const copy = await copyOf(top);
    expect(
      sh(copy.top, "git worktree list | wc -l; git add -A; ls .git/*.lock 2>/dev/null || true"),
    ).toBe("1\n");
    expect(copy.leftOut).toEqual([
      { path: "inside/.git", reason: "its git directory is elsewhere" },
    ]);
    expect(existsSync(join(top, "inside/.git"))).toBe(true);
  });

  it.each(["relative", "absolute"])("with borrowed objects named by %s paths", async (kind) => {
    const lender = repository({ "big.py": "b\n" });
    const top = join(lender, "../borrower");
    sh(lender, `git clone -q --shared . ${top}`);
    if (kind === "relative")
      sh(top, "echo ../../../project/.git/objects > .git/objects/info/alternates");
    const copy = await copyOf(top);
    expect(sh(copy.top, "git fsck --connectivity-only 2>&1; git log --format=%s")).toBe("start\n");
    const borrowed = readFileSync(join(copy.top, ".git/objects/info/alternates"), "utf8");
    expect(realpathSync(borrowed.trim())).toBe(`${lender}/.git/objects`);
  });

  it("on a branch without a commit, with a split index and in the middle of a merge", async () => {
    const empty = join(temporaryFolder(), "empty");
    sh("/", `git init -q ${empty}; touch ${empty}/x`);
    expect(sh((await copyOf(empty)).top, "git status --porcelain")).toBe("?? x\n");
    const top = repository(
      files,
      "git checkout -qb o; echo 2 > a.py; git commit -qam 2; git checkout -q main; echo 3 > a.py; git commit -qam 3; git update-index --split-index; git merge -q o 2>/dev/null >&2 || true",
    );
    expect(sh((await copyOf(top)).top, "git status --porcelain; cat .git/MERGE_HEAD")).toBe(
      sh(top, "git status --porcelain; cat .git/MERGE_HEAD"),
    );
  });
});
