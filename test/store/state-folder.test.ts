import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../../src/store/sqlite.ts";
import { makeStateFolder, stateFolderOf } from "../../src/store/state-folder.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-state-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "init.defaultBranch=main", ...args], { cwd: home, encoding: "utf8" });

describe("stateFolderOf", () => {
  it("stands at the git top level, whichever folder of it one is in", () => {
    git("init", "-q");
    mkdirSync(join(home, "src", "deep"), { recursive: true });
    const expected = {
      folder: join(home, ".pmcoder"),
      database: join(home, ".pmcoder", "pmcoder.db"),
      runs: join(home, ".pmcoder", "runs"),
      locks: join(home, ".pmcoder", "locks"),
    };
    expect(stateFolderOf(join(home, "src", "deep"))).toEqual(expected);
    expect(stateFolderOf(home)).toEqual(expected);
  });

  it("takes a worktree's .git file for what it is", () => {
    mkdirSync(join(home, "tree", "src"), { recursive: true });
    writeFileSync(join(home, "tree", ".git"), "gitdir: /elsewhere/.git/worktrees/tree\n");
    expect(stateFolderOf(join(home, "tree", "src")).folder).toBe(join(home, "tree", ".pmcoder"));
  });

  it("stands in the directory itself outside git, or where it was moved to", () => {
    expect(stateFolderOf(home).folder).toBe(join(home, ".pmcoder"));
    expect(stateFolderOf(home, "elsewhere").folder).toBe(join(home, "elsewhere"));
    expect(stateFolderOf(home, "/abs/state").folder).toBe("/abs/state");
  });
});

describe("makeStateFolder", () => {
  it("is invisible to git, and keeps what is there", async () => {
    git("init", "-q");
    const state = stateFolderOf(home);
    makeStateFolder(state);
    await openJournal(state.database, { now: () => 0 }).close();
    writeFileSync(join(state.folder, ".gitignore"), "*\n!kept\n");
    makeStateFolder(state);
    expect(readFileSync(join(state.folder, ".gitignore"), "utf8")).toBe("*\n!kept\n");
    writeFileSync(join(state.folder, ".gitignore"), "*\n");
    expect(git("status", "--porcelain", "--untracked-files=all")).toBe("");
  });
});
