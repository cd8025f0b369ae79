import { describe, expect, it } from "vitest";
import { identityOf, repositoryName } from "../../src/cli/issue-identity.ts";
import type { Task } from "../../src/cli/task-source.ts";
import { checkRow } from "../../src/eval/dataset-row.ts";
import { sh, world } from "./run-world.ts";

const now = Date.UTC(2026, 0, 2);
const task: Task = { kind: "issue", text: "The answer is wrong." };

function instance(created_at: unknown): Task {
  const row = { instance_id: "p__p-1", repo: "p/p", base_commit: "0", problem_statement: "x" };
  return { kind: "instance", text: "x", row: checkRow({ ...row, created_at }, "row") };
}

describe("an issue as memories compare it", () => {
  it.each([
    ["2019-03-01T08:00:00Z", Date.UTC(2019, 2, 1, 8)],
    [1551427200, Date.UTC(2019, 2, 1, 8)],
    [1551427200000, Date.UTC(2019, 2, 1, 8)],
    ["some day", null],
    [undefined, null],
  ])("is dated by its row: %s", async (created, createdAt) => {
    const identity = await identityOf(instance(created), { top: null, now });
    expect(identity).toEqual({ instanceId: "p__p-1", repo: "p/p", issue: "x", createdAt });
  });

  it("is dated today, and named by the repository's remote", async () => {
    const { repo: top } = world();
    expect(await identityOf(task, { top, now })).toMatchObject({ repo: null, createdAt: now });
    sh(top, "git remote add origin git@github.com:sympy/sympy.git");
    expect(await identityOf(task, { top, now })).toMatchObject({ repo: "sympy/sympy" });
  });

  it.each([
    ["https://github.com/owner/name.git", "owner/name"],
    ["https://gitlab.com/group/owner/name/", "owner/name"],
    ["ssh://git@host:22/owner/name.git", "owner/name"],
    ["git@github.com:owner/na.me.git", "owner/na.me"],
    ["https://host/name", null],
    ["/srv/git/owner/name", null],
    ["", null],
  ])("reads the repository's name out of %s", (address, name) => {
    expect(repositoryName(address)).toBe(name);
  });
});
