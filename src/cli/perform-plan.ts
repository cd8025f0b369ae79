import type { Decide } from "../agent/consult.ts";
import type { RecordedEvent } from "../domain/episode.ts";
import type { Model } from "../domain/model.ts";
import { composeModel, type Kept, systemClock } from "./compose.ts";
import { composePlace } from "./compose-place.ts";
import { deciderFor } from "./debug.ts";
import { identityOf } from "./issue-identity.ts";
import { type Outcome, perform } from "./perform.ts";
import type { Watcher } from "./progress.ts";
import { remember } from "./remember.ts";
import type { RunFlags } from "./run-command.ts";
import { makeOutputs } from "./run-outputs.ts";
import type { RunPlan } from "./run-plan.ts";
import {
  baseNotice,
  type OwnPrompts,
  promptsOf,
  readOwnPrompts,
  type Settled,
  settle,
} from "./run-settle.ts";
import type { Session } from "./session.ts";
import { solveOf } from "./workflows.ts";

export type PrepareOptions = {
  readonly [Flag in "record" | "yes" | "confirm" | "debug" | "break"]?: RunFlags[Flag] | undefined;
};

/** A plan with what it needs of the world, nothing of it on disk yet. */
export interface Prepared extends Settled {
  readonly plan: RunPlan;
  readonly model: Model;
  readonly decide: Decide | undefined;
  readonly ownPrompts: OwnPrompts;
}

/** Throws PmcoderError `usage` or `model_unavailable` when the plan cannot be carried out. */
export async function prepare(
  plan: RunPlan,
  options: PrepareOptions,
  { io, interruption, closing }: Session,
): Promise<Prepared> {
  const { task, site } = plan;
  const { kind } = site;
  const ownPrompts = readOwnPrompts(plan.config.agent, task.text, io.cwd);
  const decide = deciderFor({ kind, ...options, io, signal: interruption.signal });
  const { model, close } = await composeModel(plan.config.model, options.record, task.text, io);
  closing.add(close);
  return { plan, model, decide, ownPrompts, ...settle(plan, model, kind) };
}

/** Where a run is kept, and who is shown it. */
export interface Audience {
  readonly kept: Kept;
  readonly watcher: Watcher;
  /** Takes a line for people: what takes long before the episode begins. */
  readonly tell: (line: string) => void;
}

/** Carries a plan out: from the repository's copy or image to the files of its output folder. */
export async function performPlan(
  { plan, model, decide, ownPrompts, config, notices }: Prepared,
  { kept, watcher, tell }: Audience,
  { io, interruption, closing }: Session,
): Promise<Outcome> {
  const { signal } = interruption;
  const { task, site, arming } = plan;
  const lock = await kept.locks.acquire(kept.run);
  closing.add(() => lock.release());
  const discard = makeOutputs(kept.outputs);
  const events: RecordedEvent[] = [];
  closing.add(() => {
    if (events.length === 0) discard();
  });
  const place = await composePlace(site, config.environment, kept, { io, signal, tell });
  closing.add(() => place.environment.close());
  const differs = await baseNotice(plan);
  const top = site.repository?.top ?? null;
  const identity = () => identityOf(task, { top, now: systemClock.now() });
  const mayLearn = !plan.isEvaluation;
  const ground = { environment: place.environment, base: "HEAD", state: kept.outputs.state };
  const around = { io, signal, closing, ground, model, mayLearn };
  const remembrance = await remember(config, identity, around);
  const wantsPatch = task.kind !== "task";
  const { workdir } = place.environment;
  const warn = (line: string) => void io.stderr.write(`${line}\n`);
  const stage = { kept, place, watcher, interruption, events, env: io.env, tell: warn };
  const outcome = await perform(stage, {
    instanceId: task.kind === "instance" ? task.row.instance_id : null,
    issue: task.text,
    notices: [
      ...notices,
      ...(arming?.notices ?? []),
      ...place.notices,
      ...differs,
      ...remembrance.notices,
    ],
    experience: remembrance.experience,
    reproducer: arming?.reproducer ?? null,
    wantsPatch,
    solve: solveOf(config),
    model,
    config,
    decide,
    prompts: promptsOf(config, { issue: task.text, workdir, wantsPatch }, ownPrompts),
  });
  await remembrance.learnFrom(outcome, events);
  return outcome;
}
