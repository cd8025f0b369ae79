import { type EpisodeEnd, runEpisode } from "../agent/episode.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { consentFor } from "./choose-environment.ts";
import {
  composeModel,
  composePlace,
  composeStore,
  type Kept,
  type Place,
  systemClock,
} from "./compose.ts";
import type { Approve } from "./consent.ts";
import { type ExitCode, exitCodeOf, explain } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { watchAsJson } from "./json-lines.ts";
import { type Watcher, watchProgress } from "./progress.ts";
import type { RunFlags } from "./run-command.ts";
import { makeOutputs, writeBeginning, writeEnd } from "./run-outputs.ts";
import { planRun, type RunPlan } from "./run-plan.ts";
import { baseNotice, promptsOf, readOwnPrompts, settle } from "./run-settle.ts";
import { type Interruption, listenForSignals } from "./signals.ts";
import { shellWord } from "./terminal-text.ts";
import { version } from "./version.ts";

export type RunOptions = {
  readonly [Flag in "json" | "output" | "record" | "state" | "yes"]?: RunFlags[Flag] | undefined;
} & {
  /** The command that takes the patch, for the user to type; null: there is none. */
  readonly apply: string | null;
};

export interface Outcome {
  readonly exitCode: ExitCode;
  readonly end: EpisodeEnd;
  /** The folder with what the run left. */
  readonly folder: string;
}

/** `pmcoder run`: one issue, from what was given to files on disk. Returns the exit status. */
export async function runIssue(
  text: string | undefined,
  flags: RunFlags,
  io: Io,
): Promise<ExitCode> {
  const plan = await planRun(text, flags, io);
  const { exitCode } = await carryOut(plan, { ...flags, apply: applyLine(flags, plan) }, io);
  return exitCode;
}

/** What takes the patch from where the run was started; null where the repository is an image's. */
function applyLine({ repo, state, instance }: RunFlags, { site }: RunPlan): string | null {
  if (site.repository === null) return null;
  const assumed = instance === undefined ? undefined : site.repository.top;
  const flags = Object.entries({ repo: repo ?? assumed, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return ["pmcoder apply last", ...flags].join(" ");
}

/** What is open and has to be closed, the newest first, whatever happens. */
class Closing {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything; what fails comes back and keeps nothing else open. */
  async close(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}

/**
 * Runs a plan while listening for Ctrl-C, and closes everything that it opened. What cannot be
 * closed is told, and changes nothing of how the run ended.
 */
export async function carryOut(plan: RunPlan, options: RunOptions, io: Io): Promise<Outcome> {
  const leave = (first: NodeJS.Signals) => io.leave(first === "SIGTERM" ? 143 : 130);
  const interruption = listenForSignals(io.signals, leave);
  const closing = new Closing();
  closing.add(interruption.release);
  try {
    return await openAndRun(plan, options, io, { interruption, closing });
  } finally {
    for (const failure of await closing.close()) {
      io.stderr.write(`pmcoder: ${explain(failure, io.env)}\n`);
    }
  }
}

async function openAndRun(
  plan: RunPlan,
  options: RunOptions,
  io: Io,
  { interruption, closing }: { readonly interruption: Interruption; readonly closing: Closing },
): Promise<Outcome> {
  const { signal } = interruption;
  const { task, site } = plan;
  const { kind } = site;
  const ownPrompts = readOwnPrompts(plan.config.agent, task.text, io.cwd);
  const approve = consentFor({ kind, yes: options.yes === true, io, signal });
  const { model, close } = await composeModel(plan.config.model, options.record, task.text, io);
  closing.add(close);
  const { config, notices } = settle(plan, model, kind);
  const kept = composeStore(options, io);
  closing.add(() => kept.journal.close());
  const discard = makeOutputs(kept.outputs);
  const events: RecordedEvent[] = [];
  closing.add(() => {
    if (events.length === 0) discard();
  });
  const watcher = watch(options, kept, io);
  closing.add(watcher.close);
  const tell = (line: string) => {
    if (!options.json) io.stderr.write(`${line}\n`);
  };
  const place = await composePlace(site, config.environment, kept, { io, signal, tell });
  closing.add(() => place.environment.close());
  const differs = await baseNotice(plan);
  const end = await keepingWork(place, events, () =>
    runEpisode({
      run: kept.run,
      instanceId: task.kind === "instance" ? task.row.instance_id : null,
      issue: task.text,
      version,
      output: kept.outputs.folder,
      notices: [...notices, ...(plan.arming?.notices ?? []), ...place.notices, ...differs],
      reproducer: plan.arming?.reproducer ?? null,
      wantsPatch: task.kind !== "task",
      model,
      environment: place.environment,
      config,
      clock: systemClock,
      signal,
      approve: undisturbed(watcher, approve),
      prompts: promptsOf(config, task.text, place.environment.workdir, ownPrompts),
      record: recorder(kept, watcher, events),
    }),
  );
  if (end.fault !== undefined) io.stderr.write(`pmcoder: ${explain(end.fault, io.env)}\n`);
  if (end.uncollected) {
    io.stderr.write(`${place.keep()}\n`);
  }
  const exitCode = exitCodeOf(end.status, interruption.received());
  const summary = await keepingWork(place, events, () =>
    writeEnd(kept.outputs, events, end, exitCode),
  );
  if (options.json) io.stdout.write(`${JSON.stringify(summary)}\n`);
  return { exitCode, end, folder: kept.outputs.folder };
}

function watch({ json, apply }: RunOptions, { outputs }: Kept, io: Io): Watcher {
  if (json) return watchAsJson(io.stdout);
  const { stderr, env } = io;
  return watchProgress({
    stream: stderr,
    env,
    output: outputs.folder,
    apply,
    now: systemClock.now,
  });
}

/** The question stands alone on the screen. */
function undisturbed(watcher: Watcher, approve: Approve): Approve {
  return async (command) => {
    const release = watcher.hold();
    try {
      return await approve(command);
    } finally {
      release();
    }
  };
}

/** The journal first, then whoever watches. */
function recorder({ run, journal, outputs }: Kept, watcher: Watcher, all: RecordedEvent[]) {
  return async (events: readonly EpisodeEvent[]): Promise<void> => {
    const recorded = await journal.append(run, events);
    all.push(...recorded);
    if (recorded[0]?.type === "begin") writeBeginning(outputs, all);
    for (const event of recorded) watcher.see(event);
  };
}

/** When the record cannot be written, work that was begun stays where it was done, and is named. */
async function keepingWork<T>(
  place: Place,
  events: readonly RecordedEvent[],
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PmcoderError) || error.code !== "storage") throw error;
    if (events.length === 0) throw error;
    throw new PmcoderError("storage", `${error.message}\n${place.keep()}`, { cause: error });
  }
}
