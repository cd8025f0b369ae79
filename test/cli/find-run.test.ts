import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  fix,
  namesIn,
  onlyRun,
  pmcoder,
  readText,
  replayOf,
  runFolders,
  runIssue,
  sh,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const apply = (at: World, ...args: readonly string[]) => pmcoder(at, ["apply", ...args]);
const answerIn = ({ repo }: World) => readText(repo, "answer.py");

async function worldWithRun(...more: readonly string[]): Promise<World> {
  const at = world();
  sh(at.repo, "echo half-done > notes.md");
  expect((await runIssue(at, replayOf(at, fix, submit), ...more)).code).toBe(0);
  return at;
}

describe("pmcoder apply", () => {
  it("looks first, then applies the newest run's patch once, beside uncommitted work", async () => {
    const at = await worldWithRun();
    const checked = await apply(at, "last", "--check");
    expect(checked).toMatchObject({ code: 0, out: "" });
    expect(checked.err).toContain("The patch applies to");
    expect(answerIn(at)).toBe("answer = 41\n");
    expect((await apply(at, "last")).code).toBe(0);
    expect(answerIn(at)).toBe("answer = 42\n");
    expect(sh(at.repo, "git status --porcelain")).toBe(" M answer.py\n?? notes.md\n");
    const again = await apply(at, "last");
    expect(again.code).toBe(1);
    expect(again.err).toContain("is applied in");
  });

  it("leaves the branch that was checked out alone when given a new one", async () => {
    const at = await worldWithRun();
    const { code, err } = await apply(at, "last", "--branch", "fix-the-answer");
    expect(code).toBe(0);
    expect(err).toContain("on the new branch fix-the-answer, not committed");
    expect(sh(at.repo, "git branch --show-current").trim()).toBe("fix-the-answer");
    expect(sh(at.repo, "git rev-parse main")).toBe(sh(at.repo, "git rev-parse fix-the-answer"));
    expect(sh(at.repo, "git status --porcelain")).toBe(" M answer.py\n?? notes.md\n");
  });

  it("finds the run by its id, a prefix of it, and its folder, moved or not", async () => {
    const at = await worldWithRun();
    const folder = onlyRun(at);
    const { run } = summaryIn(folder);
    for (const name of [run, run.slice(0, 6), folder, join(".pmcoder", "runs", run)]) {
      expect(await apply(at, name, "--check")).toMatchObject({ code: 0 });
    }
    const moved = join(at.folder, "moved");
    renameSync(folder, moved);
    const elsewhere = await pmcoder(at, ["apply", "../moved", "--check", "--repo", at.repo], {
      cwd: at.home,
    });
    expect(elsewhere.code).toBe(0);
    const gone = await apply(at, "last", "--check");
    expect(gone.code).toBe(2);
    expect(gone.err).toContain("patch.diff does not exist");
  });

  it("finds a run whose results were put elsewhere, also from another folder", async () => {
    const at = await worldWithRun("--output", "../out", "--state", "../state");
    expect(runFolders(at)).toEqual([]);
    const found = await pmcoder(at, ["apply", "last", "--state", "state", "--repo", "project"], {
      cwd: at.folder,
    });
    expect(found.code).toBe(0);
    expect(answerIn(at)).toBe("answer = 42\n");
  });

  it("names what there is when a run is unknown, ambiguous or nowhere", async () => {
    const empty = world();
    const none = await apply(empty, "last");
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain(
      `No run "last": ${join(empty.repo, ".pmcoder")} holds none. Name an output folder, or give --state DIR.`,
    );
    expect(namesIn(empty.repo)).not.toContain(".pmcoder");

    const at = await worldWithRun();
    await runIssue(at, replayOf(at, fix, submit));
    const [first = "", second = ""] = runFolders(at).map((folder) => summaryIn(folder).run);
    const unknown = await apply(at, "1999");
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('No run starts with "1999"');
    for (const run of [first, second]) expect(unknown.err).toContain(run);
    const both = await apply(at, first.slice(0, 4));
    expect(both.code).toBe(2);
    expect(both.err).toContain("2 runs start with");
  });

  it("says that a run has not ended when its patch is not there", async () => {
    const at = await worldWithRun();
    rmSync(join(onlyRun(at), "patch.diff"));
    const { code, err } = await apply(at, "last");
    expect(code).toBe(2);
    expect(err).toContain("the run has not ended, or its folder was moved");
  });
});
