import type { RecordedEvent } from "../domain/episode.ts";
import { composeStore, type Kept, systemClock } from "./compose.ts";
import { type ExitCode, explain } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { watchAsJson } from "./json-lines.ts";
import { withPage } from "./live-page.ts";
import type { Outcome } from "./perform.ts";
import { type PrepareOptions, performPlan, prepare } from "./perform-plan.ts";
import { type Watcher, watchProgress } from "./progress.ts";
import type { RunFlags } from "./run-command.ts";
import { planRun, type RunPlan } from "./run-plan.ts";
import { inSession, type Session } from "./session.ts";
import { shellWord } from "./terminal-text.ts";

export type RunOptions = PrepareOptions & {
  readonly [Flag in "json" | "output" | "state" | "view"]?: RunFlags[Flag] | undefined;
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
  return ["pmcoder apply last", ...flagLines({ repo: repo ?? assumed, state })].join(" ");
}

/** Flags to type, those that are given. */
export const flagLines = (flags: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );

/** Runs a plan while listening for Ctrl-C, and closes everything that it opened. */
export function carryOut(plan: RunPlan, options: RunOptions, io: Io): Promise<Outcome> {
  return inSession(io, (session) => openAndRun(plan, options, session));
}

async function openAndRun(plan: RunPlan, options: RunOptions, session: Session): Promise<Outcome> {
  const { io, closing } = session;
  const prepared = await prepare(plan, options, session);
  const kept = composeStore(options, io);
  closing.add(() => kept.journal.close());
  const progress = watch(options, kept, io);
  closing.add(progress.close);
  const watcher = options.view ? withPage(progress, kept, session) : progress;
  const audience = { kept, watcher, tell: teller(options, io) };
  return tellOutcome(await performPlan(prepared, audience, session), options, io);
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
  { json, apply, state }: Pick<RunOptions, "json" | "apply" | "state">,
  { run, outputs }: Pick<Kept, "run" | "outputs">,
  io: Io,
  past: readonly RecordedEvent[] = [],
): Watcher {
  if (json) return watchAsJson(io.stdout);
  const { stderr, env } = io;
  const { now } = systemClock;
  const resume = ["pmcoder resume", run, ...flagLines({ state })].join(" ");
  return watchProgress({ stream: stderr, env, output: outputs.folder, apply, resume, now, past });
}
