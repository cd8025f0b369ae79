import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { applyPatch } from "./apply.ts";
import { chooseEnvironment } from "./choose-environment.ts";
import type { ExitCode } from "./exit-code.ts";
import { listMemories } from "./experience/list.ts";
import type { Io } from "./io.ts";
import { carryOut } from "./run.ts";
import { siteOf } from "./run-plan.ts";
import { root } from "./version.ts";

const run = promisify(execFile);
const assets = join(root, "assets", "demo");

/** The bundled repository as a git repository of its own. */
async function layOut(folder: string): Promise<string> {
  const repository = join(folder, "stopwatch-text");
  await cp(join(assets, "repo"), repository, { recursive: true });
  const git = (...args: readonly string[]) =>
    run("git", ["-c", "user.name=demo", "-c", "user.email=demo@localhost", ...args], {
      cwd: repository,
    });
  await git("init", "-q").catch((cause: unknown) => {
    throw new PmcoderError("usage", "The demo needs git. Install it and try again.", { cause });
  });
  await git("remote", "add", "origin", "https://localhost/demo/stopwatch-text.git");
  await git("add", "-A");
  await git("-c", "commit.gpgsign=false", "commit", "-qm", "stopwatch-text 2.3.1");
  return repository;
}

/** How many of the repository's own tests pass and fail, as `node --test` counts them. */
async function runTests(repository: string, env: Io["env"]) {
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: repository,
    // Set where one test runner starts another: the inner one would then report to the outer.
    env: { ...env, NODE_TEST_CONTEXT: undefined },
  }).catch((failed: { stdout?: string }) => ({ stdout: failed.stdout ?? "" }));
  const count = (word: string) =>
    Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(stdout)?.[1] ?? Number.NaN);
  return { passed: count("pass"), failed: count("fail") };
}

export interface DemoFlags {
  readonly json?: true | undefined;
  /** A second issue, and what was learned from the first one at hand. */
  readonly memory?: true | undefined;
}

/**
 * The main job on a bundled repository with bundled replies: the tests before, the episode, the
 * patch, the tests after. Returns 0 only if tests failed before and none fails with the patch.
 */
export async function runDemo(flags: DemoFlags, io: Io): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), "pmcoder-demo-"));
  try {
    return await showDemo(folder, flags, io);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the episodes of a demo have in common. */
interface Stage {
  readonly folder: string;
  readonly repository: string;
  readonly flags: DemoFlags;
  readonly io: Io;
}

async function showDemo(folder: string, flags: DemoFlags, given: Io): Promise<ExitCode> {
  const path = [dirname(process.execPath), given.env["PATH"] ?? ""].join(delimiter);
  const io = { ...given, env: { ...given.env, PATH: path } };
  const repository = await layOut(folder);
  const stage = { folder, repository, flags, io };
  const say = teller(io);
  say("pmcoder demo: bundled replies stand in for a model, so this needs no key, no Docker and no");
  say("Python. The repository, its bug, the commands and the tests are real.\n");
  const first = await showEpisode(stage, { files: assets, name: "first" });
  if (first.exitCode !== 0) return first.exitCode;
  if (first.failedBefore === 0) return 1;
  if (flags.memory) {
    say("\nA second issue of the same repository, with what was learned from the first at hand:\n");
    const second = await showEpisode(stage, { files: join(assets, "related"), name: "second" });
    if (second.exitCode !== 0) return second.exitCode;
    say("\nWhat is remembered now, and what of it was used:\n");
    await listMemories({ bank: bankIn(folder) }, { ...io, stdout: io.stderr });
  }
  say("\nNow on your own repository: pmcoder doctor, then pmcoder run --issue ISSUE.md --model …");
  return 0;
}

const teller = (io: Io) => (text: string) => io.stderr.write(`${text}\n`);
const bankIn = (folder: string) => join(folder, "experience.db");

interface Bundle {
  /** The folder with issue and replies. */
  readonly files: string;
  readonly name: string;
}

/** One issue: tests, the episode, its patch in the repository, tests. 1 if any fails at the end. */
async function showEpisode({ folder, repository, flags, io }: Stage, { files, name }: Bundle) {
  const say = teller(io);
  const issue = await readFile(join(files, "issue.md"), "utf8");
  say(issue.replace(/^(?=.)/gm, "  | "));
  const before = await runTests(repository, io.env);
  say(`Tests before: ${before.passed} pass, ${before.failed} fail.\n`);
  const failedBefore = before.failed;
  const names = flags.memory ? ["adarepair"] : [];
  const config = RunConfig.parse({
    model: { name: `replay:${join(files, "cassette.jsonl")}` },
    experience: { names, bank: bankIn(folder) },
  });
  const output = join(folder, name);
  const { exitCode, end } = await carryOut(
    {
      config,
      task: { kind: "issue", text: issue },
      site: await siteOf(await chooseEnvironment(config.environment, null), null, {}, repository),
      costLimitGiven: false,
    },
    { yes: true, state: join(folder, "state"), output, json: flags.json, apply: null },
    io,
  );
  if (exitCode !== 0) return { exitCode, failedBefore };
  await applyPatch({ patchFile: join(output, "patch.diff"), repo: repository });
  const after = await runTests(repository, io.env);
  say(`\n${Buffer.from(end.patch).toString("utf8")}`);
  say(`Tests after: ${after.passed} pass, ${after.failed} fail.`);
  return { exitCode: after.failed === 0 ? (0 as const) : (1 as const), failedBefore };
}
