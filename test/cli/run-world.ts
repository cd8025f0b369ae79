import { execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll } from "vitest";
import { main } from "../../src/cli/program.ts";
import type { SignalSource } from "../../src/cli/signals.ts";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import type { Summary } from "../../src/trajectories/summary.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const issue = "The answer is wrong: it should be 42.";
export const fix = "sed -i s/41/42/ answer.py";
export const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

/** A user's machine in a temporary folder: a home, and a repository in which to stand. */
export interface World {
  readonly folder: string;
  readonly home: string;
  readonly repo: string;
}

/** Runs a shell script in a folder and gives its output. */
export function sh(folder: string, script: string): string {
  const identity =
    "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b";
  return execFileSync("bash", ["-ec", `${identity}\n${script}`], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A world that goes when the running test ends. */
export const world = () => layOut(temporaryFolder());

/** A world that goes when the running file ends. */
export function lastingWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-cli-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return layOut(folder);
}

function layOut(folder: string): World {
  const [home, repo] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, repo]) mkdirSync(made);
  writeFileSync(join(repo, "answer.py"), "answer = 41\n");
  sh(repo, "git init -q -b main && git add -A && git commit -qm start");
  return { folder, home, repo };
}

/** Writes a file of the world, by default beside the repository; returns its path. */
export function put({ folder }: World, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The text of a cassette: one reply a turn, each with one command or several. */
export function cassetteText(
  turns: readonly (string | readonly string[])[],
  task: string = issue,
): string {
  const header = { format: "pmcoder-cassette-1", model: "bundled:test", task_sha256: "0", task };
  const replies = turns.map((turn, n) => ({
    purpose: "act",
    content: `Turn ${n + 1}.`,
    calls: [turn].flat().map((command, k) => ({
      id: `call-${n + 1}-${k + 1}`,
      name: "bash",
      input: { command },
    })),
  }));
  return [header, ...replies].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A cassette on the world's disk, as `--model` takes it. */
export function replayOf(at: World, ...turns: readonly (string | readonly string[])[]): string {
  return `replay:${put(at, "cassette.jsonl", cassetteText(turns))}`;
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Around {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly signals?: SignalSource;
  /** Sees what is written for people as it comes. */
  readonly watch?: (text: string) => void;
}

/** One command line of pmcoder in this process, started in the repository. */
export async function pmcoder(
  { home, repo }: World,
  args: readonly string[],
  { cwd = repo, env, stdin, signals = new EventEmitter(), watch }: Around = {},
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  stdout.on("data", (chunk: Buffer) => out.push(chunk));
  stderr.on("data", (chunk: Buffer) => {
    err.push(chunk);
    watch?.(chunk.toString());
  });
  const code = await main(args, {
    env: { HOME: home, PATH: process.env["PATH"], ...env },
    cwd,
    stdin: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]),
    stdout,
    stderr,
    signals,
    leave: () => {},
  });
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** What `pmcoder run` does with a model and the issue of this file; nobody is asked. */
export function runIssue(at: World, model: string, ...more: readonly string[]): Promise<Ran> {
  return pmcoder(at, ["run", issue, "--model", model, "--yes", ...more]);
}

/** Names in a folder in order; none when there is no folder. */
export function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Working copies that stand in the world. */
export const copiesOf = ({ home }: World) => namesIn(join(home, ".cache", "pmcoder", "work"));

/** Folders of runs in the repository's own state folder. */
export function runFolders({ repo }: World): readonly string[] {
  const runs = join(repo, ".pmcoder", "runs");
  return namesIn(runs).map((name) => join(runs, name));
}

export const readText = (...parts: readonly string[]) => readFileSync(join(...parts), "utf8");

export const summaryIn = (folder: string): Summary => JSON.parse(readText(folder, "summary.json"));

/** The output folder of the only run. */
export function onlyRun(at: World): string {
  const [folder, ...more] = runFolders(at);
  if (folder === undefined || more.length > 0) throw new Error(`${more.length + 1} runs, not one`);
  return folder;
}

/** The events of a run, read back from its journal. */
export async function eventsOf(folder: string): Promise<readonly RecordedEvent[]> {
  const { run, db } = summaryIn(folder);
  const journal = openJournal(db, { now: () => 0 });
  try {
    return await journal.read(run);
  } finally {
    await journal.close();
  }
}
