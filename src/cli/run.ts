import type { RecordedEvent } from "../domain/episode.ts";
import { consentFor } from "./choose-environment.ts";
import { composeModel, composeStore, type Kept, systemClock } from "./compose.ts";
import { composePlace } from "./compose-place.ts";
import { type ExitCode, explain } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { watchAsJson } from "./json-lines.ts";
import { type Outcome, perform } from "./perform.ts";
import { type Watcher, watchProgress } from "./progress.ts";
import type { RunFlags } from "./run-command.ts";
import { makeOutputs } from "./run-outputs.ts";
import { planRun, type RunPlan } from "./run-plan.ts";
import { baseNotice, promptsOf, readOwnPrompts, settle } from "./run-settle.ts";
import { inSession, type Session } from "./session.ts";
import { shellWord } from "./terminal-text.ts";

export type RunOptions = {
  readonly [Flag in "json" | "output" | "record" | "state" | "yes" | "confirm"]?:
    | RunFlags[Flag]
    | undefined;
} & {
  /** The command that takes the patch, for the user to type; null: there is none. */
  readonly apply: string | null;
};

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

/** Runs a plan while listening for Ctrl-C, and closes everything that it opened. */
export function carryOut(plan: RunPlan, options: RunOptions, io: Io): Promise<Outcome> {
  return inSession(io, (session) => openAndRun(plan, options, session));
}

async function openAndRun(
  plan: RunPlan,
  options: RunOptions,
  { io, interruption, closing }: Session,
): Promise<Outcome> {
  const { signal } = interruption;
  const { task, site } = plan;
  const { kind } = site;
  const ownPrompts = readOwnPrompts(plan.config.agent, task.text, io.cwd);
  const approve = consentFor({ kind, ...options, io, signal });
  const { model, close } = await composeModel(plan.config.model, options.record, task.text, io);
  closing.add(close);
  const { config, notices } = settle(plan, model, kind);
  const kept = composeStore(options, io);
  closing.add(() => kept.journal.close());
  const lock = await kept.locks.acquire(kept.run);
  closing.add(() => lock.release());
  const discard = makeOutputs(kept.outputs);
  const events: RecordedEvent[] = [];
  closing.add(() => {
    if (events.length === 0) discard();
  });
  const watcher = watch(options, kept, io);
  closing.add(watcher.close);
  const opening = { io, signal, tell: teller(options, io) };
  const place = await composePlace(site, config.environment, kept, opening);
  closing.add(() => place.environment.close());
  const differs = await baseNotice(plan);
  const tell = (line: string) => void io.stderr.write(`${line}\n`);
  const stage = { kept, place, watcher, interruption, events, env: io.env, tell };
  const outcome = await perform(stage, {
    instanceId: task.kind === "instance" ? task.row.instance_id : null,
    issue: task.text,
    notices: [...notices, ...(plan.arming?.notices ?? []), ...place.notices, ...differs],
    reproducer: plan.arming?.reproducer ?? null,
    wantsPatch: task.kind !== "task",
    model,
    config,
    approve,
    prompts: promptsOf(config, task.text, place.environment.workdir, ownPrompts),
  });
  return tellOutcome(outcome, options, io);
}

/** Says what went wrong, and the summary to programs. */
export function tellOutcome(outcome: Outcome, { json }: Pick<RunOptions, "json">, io: Io): Outcome {
  const { fault } = outcome.end;
  if (fault !== undefined) io.stderr.write(`pmcoder: ${explain(fault, io.env)}\n`);
  if (json) io.stdout.write(`${JSON.stringify(outcome.summary)}\n`);
  return outcome;
}

/** Tells people what takes long before the episode begins; programs get events alone. */
export function teller({ json }: Pick<RunOptions, "json">, io: Io): (line: string) => void {
  return (line) => {
    if (!json) io.stderr.write(`${line}\n`);
  };
}

/** `past`: what was shown by an earlier process of the run. */
export function watch(
  { json, apply }: Pick<RunOptions, "json" | "apply">,
  { outputs }: Pick<Kept, "outputs">,
  io: Io,
  past: readonly RecordedEvent[] = [],
): Watcher {
  if (json) return watchAsJson(io.stdout);
  const { stderr, env } = io;
  const { now } = systemClock;
  return watchProgress({ stream: stderr, env, output: outputs.folder, apply, now, past });
}
