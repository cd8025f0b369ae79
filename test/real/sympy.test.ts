import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { capable } from "../capabilities.ts";

/**
 * Public runs replayed as live commands: Debian's sympy 1.11.1 at /testbed, in bubblewrap. What
 * counts is the instance's own hidden test on the patch that comes out.
 */
const run = promisify(execFile);
const data = process.env["PMCODER_DATA"] ?? "";
const runnable = capable(
  "data",
  () => existsSync("/testbed/sympy/__init__.py") && existsSync(join(data, "verified.jsonl")),
);
const scratch = await mkdtemp(join(tmpdir(), "pmcoder-sympy-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

// Debian's interpreters, `python` and `python3` both, and the node that runs this.
const PATH = ["/usr/bin", "/bin", dirname(process.execPath)].join(delimiter);

interface Row {
  readonly instance_id: string;
  readonly test_patch: string;
  readonly FAIL_TO_PASS: readonly string[];
}

async function rowOf(instance: string): Promise<Row> {
  const lines = (await readFile(join(data, "verified.jsonl"), "utf8")).split("\n");
  const line = lines.find((text) => text.includes(`"${instance}"`));
  return JSON.parse(line ?? "{}") as Row;
}

async function replay(instance: string) {
  const output = join(scratch, instance);
  const trajectory = join(data, "trajectories", "mini-swe-agent-v1", `${instance}.traj.json.gz`);
  const args = ["--import", "tsx", "src/cli/main.ts", "run", "--instance", instance];
  args.push("--dataset", join(data, "verified.jsonl"), "--model", `replay:${trajectory}`);
  args.push("--environment", "bubblewrap", "--output", output);
  args.push("--state", join(scratch, `${instance}-state`), "--command-timeout", "180");
  const code = await run(process.execPath, args, {
    env: { ...process.env, PATH },
    maxBuffer: 64 << 20,
  }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  const summary = JSON.parse(await readFile(join(output, "summary.json"), "utf8"));
  return { code, output, summary };
}

/** The verdict of each test in the files that the test patch touches, on base plus `patch`. */
async function hiddenTests(row: Row, patch: string): Promise<ReadonlyMap<string, string>> {
  const tree = join(scratch, `${row.instance_id}-graded`);
  await run("git", ["clone", "-q", "/testbed", tree]);
  await run("git", ["apply", patch], { cwd: tree });
  const testPatch = join(scratch, `${row.instance_id}.test.diff`);
  await writeFile(testPatch, row.test_patch);
  await run("git", ["apply", testPatch], { cwd: tree }).catch(() =>
    run("patch", ["--batch", "--fuzz=5", "-p1", "-i", testPatch], { cwd: tree }),
  );
  const files = [...row.test_patch.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].map(([, f]) => f);
  const program = `import sympy; sympy.test(*${JSON.stringify(files)}, verbose=True, colors=False)`;
  const { stdout } = await run("/usr/bin/python3", ["-c", program], {
    cwd: tree,
    maxBuffer: 64 << 20,
  }).catch((error: { stdout: string }) => error);
  return new Map(
    [...stdout.matchAll(/^(test_\w+) (ok|F|E|f|s|X)\b/gm)].map((m) => [m[1] ?? "", m[2] ?? ""]),
  );
}

describe.skipIf(!runnable)("public runs replayed on a real project", () => {
  it.concurrent.each(["23824", "24066", "24213", "24443", "24661"])(
    "sympy__sympy-%s ends with its hidden test passing",
    { timeout: 600_000 },
    async (number) => {
      const instance = `sympy__sympy-${number}`;
      const { code, output, summary } = await replay(instance);
      expect(summary).toMatchObject({ exit_status: "submitted", patch: { applies: true } });
      expect(code).toBe(0);
      const row = await rowOf(instance);
      const verdicts = await hiddenTests(row, join(output, "patch.diff"));
      for (const test of row.FAIL_TO_PASS) expect([test, verdicts.get(test)]).toEqual([test, "ok"]);
    },
  );

  it.concurrent("sympy__sympy-23413, whose edits miss this version, ends cleanly and honestly", {
    timeout: 600_000,
  }, async () => {
    const { code, output, summary } = await replay("sympy__sympy-23413");
    expect([0, 4]).toContain(code);
    expect(["submitted", "no_patch"]).toContain(summary.exit_status);
    const row = await rowOf("sympy__sympy-23413");
    if (summary.exit_status === "no_patch") return;
    const verdicts = await hiddenTests(row, join(output, "patch.diff"));
    expect(verdicts.get("test_hermite_normal")).not.toBe("ok");
  });
});
