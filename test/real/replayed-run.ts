import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { capable } from "../capabilities.ts";

const execute = promisify(execFile);
const data = process.env["PMCODER_DATA"] ?? "";
const dataset = join(data, "verified.jsonl");
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "pmcoder-sympy-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Public trajectories, and Debian's sympy at /testbed of this machine. */
export const hasData = capable(
  "data",
  () => existsSync("/testbed/sympy/__init__.py") && existsSync(dataset),
);

// Debian's interpreters, `python` and `python3` both, and the node that runs this.
const PATH = ["/usr/bin", "/bin", dirname(process.execPath)].join(delimiter);

export interface Row {
  readonly instance_id: string;
  readonly test_patch: string;
  readonly FAIL_TO_PASS: readonly string[];
}

export async function rowOf(instance: string): Promise<Row> {
  const lines = (await readFile(dataset, "utf8")).split("\n");
  const line = lines.find((text) => text.includes(`"${instance}"`));
  return JSON.parse(line ?? "{}") as Row;
}

export interface Replayed {
  readonly code: number;
  readonly summary: Readonly<Record<string, unknown>>;
  /** File of the patch. */
  readonly patch: string;
  /** What people are shown. */
  readonly shown: string;
  /** What `--json` printed, without the summary at its end. */
  readonly events: readonly RecordedEvent[];
}

const publicRun = (instance: string) =>
  join(data, "trajectories", "mini-swe-agent-v1", `${instance}.traj.json.gz`);

/** `pmcoder run` on an instance, a recording, by default of its public run, in the model's place. */
export async function replay(
  instance: string,
  environment: string,
  more: readonly string[],
  recording: string = publicRun(instance),
): Promise<Replayed> {
  const output = join(scratch, `${instance}-${environment}`);
  const args = ["--import", "tsx", "src/cli/main.ts", "run", "--instance", instance];
  args.push("--dataset", dataset, "--model", `replay:${recording}`);
  args.push("--environment", environment, "--output", output, "--state", `${output}-state`);
  const { code, stdout, stderr } = await execute(
    process.execPath,
    [...args, "--command-timeout", "180", ...more],
    { env: { ...process.env, PATH }, maxBuffer: 256 << 20 },
  ).then(
    (printed) => ({ code: 0, ...printed }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const summary = JSON.parse(await readFile(join(output, "summary.json"), "utf8"));
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith('{"type"'))
    .map((line) => JSON.parse(line) as RecordedEvent);
  return { code, summary, patch: join(output, "patch.diff"), shown: stderr, events };
}

/** The verdict of each test in the files that the test patch touches, on base plus `patch`. */
export async function hiddenTests(row: Row, patch: string): Promise<ReadonlyMap<string, string>> {
  const tree = join(scratch, `${row.instance_id}-graded`);
  await execute("git", ["clone", "-q", "/testbed", tree]);
  await execute("git", ["apply", patch], { cwd: tree });
  const testPatch = join(scratch, `${row.instance_id}.test.diff`);
  await writeFile(testPatch, row.test_patch);
  await execute("git", ["apply", testPatch], { cwd: tree }).catch(() =>
    execute("patch", ["--batch", "--fuzz=5", "-p1", "-i", testPatch], { cwd: tree }),
  );
  const files = [...row.test_patch.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].map(([, f]) => f);
  const program = `import sympy; sympy.test(*${JSON.stringify(files)}, verbose=True, colors=False)`;
  const { stdout } = await execute("/usr/bin/python3", ["-c", program], {
    cwd: tree,
    maxBuffer: 64 << 20,
  }).catch((error: { stdout: string }) => error);
  return new Map(
    [...stdout.matchAll(/^(test_\w+) (ok|F|E|f|s|X)\b/gm)].map((m) => [m[1] ?? "", m[2] ?? ""]),
  );
}
