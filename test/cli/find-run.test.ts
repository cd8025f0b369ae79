import { renameSync } from "node:fs";
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
  it("looks first, then applies a patch once, beside uncommitted work", async () => {
    const at = await worldWithRun();
    const { run } = summaryIn(onlyRun(at));
    for (const name of ["last", run, run.slice(0, 6), onlyRun(at), `.pmcoder/runs/${run}`]) {
      const checked = await apply(at, name, "--check");
      expect(checked, name).toMatchObject({ code: 0, out: "" });
      expect(checked.err).toContain("The patch applies to");
    }
    expect(answerIn(at)).toBe("answer = 41\n");
    expect((await apply(at, "last")).code).toBe(0);
    expect(answerIn(at)).toBe("answer = 42\n");
    expect(sh(at.repo, "git status --porcelain")).toBe(" M answer.py\n?? notes.md\n");
    const again = await apply(at, "last");
    expect(again.code).toBe(1);
    expect(again.err).toContain("is applied in");
  });

  it("takes a folder that was moved, and a new branch", async () => {
    const at = await worldWithRun();
    renameSync(onlyRun(at), join(at.folder, "moved"));
    const lost = await apply(at, "last", "--check");
    expect(lost.code).toBe(2);
    expect(lost.err).toMatch(/patch\.diff does not exist: the run has not ended, or .* was moved/);
    const args = ["apply", "../moved", "--repo", at.repo, "--branch", "fix-the-answer"];
    const { code, err } = await pmcoder(at, args, { cwd: at.home });
    expect(code).toBe(0);
    expect(err).toContain("on the new branch fix-the-answer, not committed");
    expect(sh(at.repo, "git branch --show-current").trim()).toBe("fix-the-answer");
    expect(sh(at.repo, "git rev-parse main")).toBe(sh(at.repo, "git rev-parse fix-the-answer"));
    expect(sh(at.repo, "git status --porcelain")).toBe(" M answer.py\n?? notes.md\n");
  });

  it("finds a run whose results were put elsewhere, also from another folder", async () => {
    const at = world();
    const elsewhere = ["--output", "../out", "--state", "../the state", "--repo", "."];
    const { err } = await runIssue(at, replayOf(at, fix, submit), ...elsewhere);
    expect(err).toMatch(/^ {2}next +pmcoder apply last --repo \. --state '\.\.\/the state'$/m);
    expect(runFolders(at)).toEqual([]);
    const args = ["apply", "last", "--state", "the state", "--repo", "project"];
    expect((await pmcoder(at, args, { cwd: at.folder })).code).toBe(0);
    expect(answerIn(at)).toBe("answer = 42\n");
  });

  it("names what there is when a run is nowhere, unknown or ambiguous", async () => {
    const empty = world();
    const none = await apply(empty, "last");
    expect(none).toMatchObject({ code: 2, out: "" });
    const place = join(empty.repo, ".pmcoder");
    expect(none.err).toContain(
      `No run "last": ${place} holds none. Name an output folder, or give --state DIR.`,
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
});
