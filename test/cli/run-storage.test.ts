import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { canMount, mountSmallDisk } from "../store/small-disk.ts";
import { hasBubblewrap } from "./run-process.ts";
import {
  copiesOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  readText,
  replayOf,
  runFolders,
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

/** A disk of this size; it goes when the running test ends. */
function smallDisk(kilobytes: number): string {
  const disk = mountSmallDisk(kilobytes);
  if (disk === null) throw new Error("no disk");
  onTestFinished(disk.remove);
  return disk.folder;
}

/** The copy that a message names, and that it holds the change. */
function expectKept(at: World, err: string): void {
  const [, copy = ""] = /The working copy with all changes is kept at (.+)\.$/m.exec(err) ?? [];
  expect(readText(copy, "answer.py")).toBe("answer = 42\n");
  expect(copiesOf(at)).toHaveLength(1);
}

const noise = "head -c 9000 /dev/urandom | base64 -w 0 | head -c 9900";

describe.runIf(canMount)("a disk that is full", () => {
  it("refuses the run when the journal cannot be made", async () => {
    const at = world();
    const state = smallDisk(16);
    writeFileSync(join(state, "ballast"), new Uint8Array(12 * 1024));
    const { code, err } = await runIssue(at, replayOf(at, fix, submit), "--state", state);
    expect(code).toBe(1);
    expect(err).toMatch(/^pmcoder: Cannot .*: the disk is full\. Free some space.*\n$/m);
    expect(copiesOf(at)).toEqual([]);
    expect(namesIn(join(state, "runs"))).toEqual([]);
  });

  it("keeps the work when the journal cannot grow", async () => {
    const at = world();
    const state = smallDisk(160);
    const turns = Array.from({ length: 30 }, () => noise);
    const model = replayOf(at, fix, ...turns, submit);
    const { code, err } = await runIssue(at, model, "--state", state, "--output", "../out");
    expect(code).toBe(1);
    expect(err).toMatch(/^pmcoder: Cannot write to .*pmcoder\.db: the disk is full/m);
    expect(err).not.toContain("submitted");
    expectKept(at, err);
    expect(summaryIn(join(at.folder, "out")).exit_status).toBe("running");
  });

  it("keeps the work when the results cannot be written", async () => {
    const at = world();
    const output = join(smallDisk(128), "out");
    const model = replayOf(at, fix, "head -c 1000000 /dev/zero || true", submit);
    const { code, err } = await runIssue(at, model, "--output", output);
    expect(code).toBe(1);
    expect(err).toMatch(/^pmcoder: Cannot write .*: the disk is full\. Free some space/m);
    expectKept(at, err);
    expect(summaryIn(output)).toMatchObject({ exit_status: "running", patch: null });
  });

  it("has no room for a copy", async () => {
    const at = world();
    const workDir = smallDisk(16);
    writeFileSync(join(at.repo, "large.bin"), new Uint8Array(64 * 1024));
    const model = replayOf(at, fix, submit);
    const { code, err } = await runIssue(at, model, "-c", `environment.workDir=${workDir}`);
    expect(code).toBe(1);
    expect(err).toContain(`There is no room for a copy of the repository in ${workDir}/`);
    expect(namesIn(workDir)).toEqual([]);
    expect(runFolders(at)).toEqual([]);
  });
});

describe("a sandbox that cannot start", () => {
  it("ends with status 5, before anything is left", async () => {
    const at = world();
    const bwrap = put(
      at,
      "bin/bwrap",
      "#!/bin/sh\necho 'No permission for namespaces' >&2; exit 1\n",
    );
    chmodSync(bwrap, 0o755);
    const model = replayOf(at, fix, submit);
    const { code, err } = await pmcoder(
      at,
      ["run", issue, "--model", model, "--environment", "bubblewrap"],
      { env: { PATH: `${dirname(bwrap)}:${process.env["PATH"]}` } },
    );
    expect(code).toBe(5);
    expect(err).toContain("The bubblewrap sandbox cannot start: No permission for namespaces.");
    expect(err).toContain("--environment local");
    expect(copiesOf(at)).toEqual([]);
    expect(runFolders(at)).toEqual([]);
  });
});

describe.runIf(hasBubblewrap)("an environment that is lost", () => {
  it("ends the run with status 5 and keeps the work", async () => {
    const at = world();
    const model = replayOf(at, fix, "kill -9 -1", submit);
    const { code, err } = await runIssue(at, model, "--environment", "bubblewrap");
    expect(code).toBe(5);
    expect(err).toContain("environment_lost: ");
    const folder = onlyRun(at);
    expect(summaryIn(folder)).toMatchObject({ exit_status: "environment_lost", exit_code: 5 });
    expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
    const [copy = ""] = copiesOf(at);
    expect(readText(at.home, ".cache/pmcoder/work", copy, "project/answer.py")).toBe(
      "answer = 42\n",
    );
  });
});
