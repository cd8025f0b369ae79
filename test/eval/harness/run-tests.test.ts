import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { patchLadders } from "../../../src/eval/grading/eval-plan.ts";
import { runTests, type TestRun } from "../../../src/eval/harness/run-tests.ts";
import {
  missingPatch,
  openSmall,
  rightPatch,
  smallRepository,
  smallScript,
} from "./small-instance.ts";

interface Case {
  readonly patch?: string | null;
  readonly script?: string;
  readonly timeoutSec?: number;
  readonly signal?: AbortSignal;
}

async function run({ patch = rightPatch, script = smallScript(), ...more }: Case) {
  const environment = await openSmall(await smallRepository());
  try {
    const { timeoutSec = 60, signal = new AbortController().signal } = more;
    const ladder = patchLadders.v5;
    return await runTests({ environment, patch, ladder, script, timeoutSec, signal });
  } finally {
    await environment.close();
  }
}

const textOf = ({ log }: TestRun) => Buffer.from(log ?? "").toString("utf8");

describe("a run of tests", () => {
  it("lays the patch and brings the log here", async () => {
    const done = await run({});
    expect(done).toMatchObject({ patchApplied: true, timedOut: false, exitCode: 0 });
    expect(textOf(done)).toMatchInlineSnapshot(`
      "+ : '>>>>> Start Test Output'
      + set +x
      PASSED test_answer.py::test_right
      PASSED test_answer.py::test_there
      + : '>>>>> End Test Output'
      + set +x
      >>>>> Test Exit Code: 0
      "
    `);
    expect(done.account).toMatch(
      /Applied Patch[\s\S]*\n-41\n\+42\n[\s\S]*exit status 0, \d+ bytes$/,
    );
  });

  it("without a patch is one of the base as it is", async () => {
    const done = await run({ patch: null });
    expect(textOf(done)).toContain("FAILED test_answer.py::test_right");
    expect(done.account).toMatch(/^Skipping model patch\n/);
  });

  it("is none where the patch does not apply", async () => {
    const done = await run({ patch: missingPatch, script: "echo never" });
    expect(done).toMatchObject({ patchApplied: false, log: null, exitCode: null, seconds: 0 });
    expect(done.account).toContain(">>>>> Patch Apply Failed");
  });

  it("that hangs is ended with all that it started, and its log says so", async () => {
    const done = await run({ script: smallScript("sleep 654.5 | cat"), timeoutSec: 1.5 });
    expect(done).toMatchObject({ patchApplied: true, timedOut: true, exitCode: 124 });
    expect(textOf(done)).toBe("+ sleep 654.5\n+ cat\n\n\nTimeout error: 2 seconds exceeded.");
    const living = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(living).not.toContain("sleep 654.5");
  });

  it("prints 50 MB, all of which comes", { timeout: 120_000 }, async () => {
    const noise = "set +x; head -c 50000000 /dev/zero | tr '\\0' x; echo; set -x";
    const done = await run({ script: smallScript(noise) });
    expect(done.log?.length).toBeGreaterThan(50_000_000);
    expect(textOf(done)).toContain("xxxxx\n+ : '>>>>> Start Test Output'\n");
    expect(textOf(done).endsWith("\n>>>>> Test Exit Code: 0\n")).toBe(true);
  });

  it("that removes its log has printed nothing", async () => {
    const done = await run({ script: `${smallScript()}rm -f "$(dirname "$0")"/../outputs/*` });
    expect(done).toMatchObject({ patchApplied: true, timedOut: false });
    expect(textOf(done)).toBe("");
  });

  it("whose place is killed rejects", async () => {
    const killed = run({ script: "kill -9 $PPID" });
    await expect(killed).rejects.toMatchObject({ code: "environment_lost" });
  });

  it("rejects when it is interrupted", async () => {
    const signal = AbortSignal.timeout(700);
    const interrupted = run({ script: "sleep 655.5", signal });
    await expect(interrupted).rejects.toMatchObject({ code: "interrupted" });
  });
});
