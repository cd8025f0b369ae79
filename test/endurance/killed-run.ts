import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import type { Summary } from "../../src/trajectories/summary.ts";
import { type Files, layRepository } from "../episode-parts.ts";
import { builtPmcoder } from "./built-pmcoder.ts";
import type { PatientServer } from "./patient-server.ts";

export interface Setting {
  /** An empty folder for everything. */
  readonly folder: string;
  readonly files: Files;
  readonly issue: string;
  readonly server: PatientServer;
  /** Of `run`: where commands run, and how. */
  readonly flags: readonly string[];
  /** Of `resume`. */
  readonly resumeFlags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A number from 0 to below its argument. */
  readonly random: (below: number) => number;
  readonly kills: number;
  /** Done before the run is taken up again. */
  readonly afterKill?: (events: readonly RecordedEvent[], run: string) => Promise<void>;
}

/** What stood in the journal when a process was killed, and what the model had been asked. */
export interface Kill {
  readonly events: readonly RecordedEvent[];
  readonly paid: number;
  readonly requests: number;
}

export interface Survived {
  readonly kills: readonly Kill[];
  readonly events: readonly RecordedEvent[];
  /** Of the process that reached the end; null: it was killed right after that. */
  readonly exitCode: number | null;
  readonly summary: Summary;
  readonly patch: string;
  /** Of all its processes. */
  readonly pids: readonly number[];
}

/** Event lines after which a process is killed at most; a whole run has some more. */
const latest = 24;
/** Milliseconds that it lives on after that, or from its start, at most. */
const momentMs = 60;
const startMs = 700;

/** A run whose process is killed again and again, and that another one takes up each time. */
export async function surviveKills(setting: Setting): Promise<Survived> {
  const { folder, files, random, afterKill } = setting;
  const project = join(folder, "project");
  for (const made of [project, join(folder, "home")]) mkdirSync(made);
  layRepository(project, files);
  const kills: Kill[] = [];
  const pids: number[] = [];
  for (;;) {
    const { run, events } = await journalIn(project);
    const process = run === null ? begin(setting) : resume(setting);
    pids.push(process.pid ?? 0);
    const victim = kills.length < setting.kills ? killing(process, random) : null;
    const exitCode = await ended(process);
    victim?.abort();
    const now = await journalIn(project);
    if (exitCode !== null || isOver(now.events, folder)) {
      return { kills, pids, exitCode, ...now, ...resultsIn(folder) };
    }
    expectLonger(events, now.events);
    kills.push({
      events: now.events,
      paid: setting.server.paid(),
      requests: setting.server.received.length,
    });
    if (now.run !== null) await afterKill?.(now.events, now.run);
  }
}

/** The process was killed after it had done everything. */
function isOver(events: readonly RecordedEvent[], folder: string): boolean {
  return events.at(-1)?.type === "end" && summaryIn(folder).exit_status !== "running";
}

function expectLonger(before: readonly RecordedEvent[], now: readonly RecordedEvent[]): void {
  const kept = JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before);
  if (!kept) throw new Error(`of ${before.length} events, ${now.length} are left or changed`);
}

const outputIn = (folder: string) => join(folder, "out");

function begin({ folder, issue, server, flags, env }: Setting): ChildProcess {
  const script = join(folder, "repro.sh");
  writeFileSync(script, "grep -q 'a + b' calc.py || { echo 'still wrong'; exit 1; }\n");
  const model = ["--model", "openai:patient", "--base-url", `${server.url}/v1`];
  const place = ["--output", outputIn(folder), "--repro", script];
  return start(folder, ["run", issue, ...model, ...place, ...flags], env);
}

function resume({ folder, resumeFlags, env }: Setting): ChildProcess {
  return start(folder, ["resume", "last", ...resumeFlags], env);
}

function start(folder: string, args: readonly string[], env: Setting["env"]): ChildProcess {
  const home = join(folder, "home");
  return spawn(process.execPath, [builtPmcoder(), ...args, "--json"], {
    cwd: join(folder, "project"),
    env: { HOME: home, PATH: process.env["PATH"], LOG: join(folder, "log"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Kills a process at a random moment, unless that is called off before. */
function killing(child: ChildProcess, random: Setting["random"]): AbortController {
  const called = new AbortController();
  const after = random(latest);
  const moment = random(after === 0 ? startMs : momentMs);
  const kill = () =>
    wait(moment, undefined, { signal: called.signal }).then(
      () => child.kill("SIGKILL"),
      () => false,
    );
  if (after === 0) void kill();
  let lines = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    const before = lines;
    lines += chunk.toString("latin1").split("\n").length - 1;
    if (before < after && lines >= after) void kill();
  });
  return called;
}

/** Its exit status; null: it was killed. Rejects, with what it said, when it failed. */
function ended(child: ChildProcess): Promise<number | null> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout?.resume();
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(null);
      else if (code === 0) resolve(code);
      else reject(new Error(`ended with ${code ?? signal}: ${said}`));
    });
  });
}

async function journalIn(project: string) {
  const file = join(project, ".pmcoder", "pmcoder.db");
  if (!existsSync(file)) return { run: null, events: [] };
  const journal = openJournal(file, { now: () => 0 });
  try {
    const run = (await journal.runs())[0]?.run ?? null;
    return { run, events: run === null ? [] : await journal.read(run) };
  } finally {
    await journal.close();
  }
}

const summaryIn = (folder: string): Summary =>
  JSON.parse(readFileSync(join(outputIn(folder), "summary.json"), "utf8"));

function resultsIn(folder: string): Pick<Survived, "summary" | "patch"> {
  const patch = readFileSync(join(outputIn(folder), "patch.diff"), "latin1");
  return { summary: summaryIn(folder), patch };
}
