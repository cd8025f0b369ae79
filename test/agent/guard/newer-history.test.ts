import { describe, expect, it } from "vitest";
import {
  guardHistory,
  newerHistoryNotice,
  readNewerHistory,
} from "../../../src/agent/guard/newer-history.ts";
import { forgetBase, snapshotBase } from "../../../src/agent/patch/base.ts";
import { open, sh, temporaryFolder } from "../patch/work-tree.ts";

/** Commits an hour apart, so that "newer" does not depend on the speed of the machine. */
const prelude = `
hour=1700000000
commit() { hour=$((hour + 3600)); export GIT_AUTHOR_DATE="$hour +0000" GIT_COMMITTER_DATE="$hour +0000"
  git commit -q --allow-empty -m "$1"; }
git init -q -b main && git config user.name A && git config user.email a@example.org
commit one; commit two`;

async function noticeFor(script: string): Promise<string | null> {
  const folder = temporaryFolder();
  sh(folder, `${prelude}\n${script}`);
  const environment = await open(folder);
  const base = await snapshotBase(environment);
  try {
    return await guardHistory(environment, base);
  } finally {
    await forgetBase(environment, base);
  }
}

const sentence = (commits: number, how: string) =>
  `The repository can reach ${commits} ${commits === 1 ? "commit" : "commits"} newer than its base (${how}); the solution may be among them. Commands that look there are listed in summary.json under guard.`;

describe("an instance's repository", () => {
  it.each([
    ["with its base alone", ":", null],
    [
      "on a commit that is older than others of its own branch",
      "commit three; git reset -q --hard HEAD~1 && git branch later ORIG_HEAD && git reflog expire --expire=now --all",
      sentence(1, "by branches: later"),
    ],
    [
      "with a tag of later",
      "commit three; git tag -a -m v v2 && git checkout -q HEAD~1 && git branch -D main -q && git reflog expire --expire=now --all",
      sentence(1, "by tags: v2"),
    ],
    [
      "with a remote's branch",
      "commit three; commit four; git update-ref refs/remotes/origin/main HEAD && git reset -q --hard HEAD~2 && git reflog expire --expire=now --all",
      sentence(2, "by remotes: origin/main"),
    ],
    ["whose reflog goes on", "commit three; git reset -q --hard HEAD~1", sentence(1, "by reflog")],
    [
      "that holds commits without a name",
      "commit three; git reset -q --hard HEAD~1 && git reflog expire --expire=now --all && git repack -adkq",
      sentence(1, "none of them by a name"),
    ],
    [
      "with other work that is older",
      "git checkout -q -b side HEAD~1; hour=1700000001; commit side; git checkout -q main",
      null,
    ],
    ["with a branch behind its base", "git branch old HEAD~1 && git tag older HEAD~1", null],
  ])("%s", async (_name, script, notice) => {
    expect(await noticeFor(script)).toBe(notice);
  });

  it("without a commit has no history to guard", async () => {
    const folder = temporaryFolder();
    sh(folder, "git init -q && echo a > a");
    const environment = await open(folder);
    const base = await snapshotBase(environment);
    expect(await guardHistory(environment, base)).toBeNull();
    await forgetBase(environment, base);
  });

  it("whose history cannot be read is told so", async () => {
    const folder = temporaryFolder();
    sh(folder, prelude);
    const environment = await open(folder);
    const base = await snapshotBase(environment);
    sh(folder, "rm -rf .git");
    expect(await guardHistory(environment, base)).toBe(
      "Whether the repository can reach commits newer than its base could not be told.",
    );
    await forgetBase(environment, base);
  });

  it("is left as it was", async () => {
    const folder = temporaryFolder();
    sh(folder, `${prelude}; commit three; git reset -q --hard HEAD~1`);
    const state = () =>
      sh(folder, "git reflog; git for-each-ref; git status --porcelain; find .git | sort");
    const environment = await open(folder);
    const base = await snapshotBase(environment);
    const before = state();
    await guardHistory(environment, base);
    expect(state()).toBe(before);
    await forgetBase(environment, base);
  });
});

describe("what the script prints", () => {
  const counts = "3\x001\x002\x005\x004\x006\n\0";

  it("is read from the end, whatever stands before it", () => {
    const output = `Welcome!\0${counts}--max-age=100\n150 origin/main\n99 v0\n120 v2\n`;
    expect(readNewerHistory(output)).toEqual({
      reached: { branches: 3, tags: 1, remotes: 2, reflog: 4 },
      commits: 6,
      names: ["origin/main", "v2"],
    });
  });

  it.each([
    ["nothing", ""],
    ["no numbers", "a\0b\0c\0d\0e\0f\0--max-age=1"],
    ["too few", "1\x002\0--max-age=1"],
    ["no time", `${counts}fatal: bad object`],
  ])("is not guessed when it is %s", (_name, output) => {
    expect(readNewerHistory(output)).toBeNull();
  });

  it("names three refs at most", () => {
    const reached = { branches: 1, tags: 9, remotes: 0, reflog: 0 };
    const names = ["a", "b", "c", "d"];
    expect(newerHistoryNotice({ reached, commits: 9, names })).toBe(
      sentence(9, "by branches, tags: a, b, c, …"),
    );
  });
});
