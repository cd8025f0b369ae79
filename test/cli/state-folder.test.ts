import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateFolder } from "../../src/cli/state-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("the state folder", () => {
  it.each([
    [{ state: "here", env: { PMCODER_STATE: "/there" } }, "/repo/here"],
    [{ state: "/here", env: {} }, "/here"],
    [{ env: { PMCODER_STATE: "there" } }, "/repo/there"],
    [{ env: { PMCODER_STATE: "" } }, "/repo/.pmcoder"],
  ])("of %j in /repo is %s", (place, folder) => {
    expect(stateFolder({ ...place, cwd: "/repo" })).toBe(folder);
  });

  it("stands at the top of the working tree, also of a worktree, whose .git is a file", () => {
    const top = temporaryFolder();
    mkdirSync(join(top, ".git"));
    mkdirSync(join(top, "tree", "deep"), { recursive: true });
    expect(stateFolder({ env: {}, cwd: join(top, "tree", "deep") })).toBe(join(top, ".pmcoder"));
    writeFileSync(join(top, "tree", ".git"), "gitdir: elsewhere\n");
    expect(stateFolder({ env: {}, cwd: join(top, "tree", "deep") })).toBe(
      join(top, "tree", ".pmcoder"),
    );
  });

  it("stands where one is, outside of any repository", () => {
    const folder = temporaryFolder();
    expect(stateFolder({ env: {}, cwd: folder })).toBe(join(folder, ".pmcoder"));
  });
});
