import type { RunConfig } from "../domain/config/run-config.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { ToolCall } from "../domain/message.ts";
import { isStep } from "../domain/model.ts";
import { searchIn } from "../domain/search-tree.ts";
import type { SubstrateOptions } from "../substrate/state.ts";
import { type Tally, tallyOf } from "../trajectories/tally.ts";
import { withCalls } from "../trajectories/workflow-turns.ts";
import type { Activity, Outcome, RecordedCall, RecordedTurn, Recording } from "./recording.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

/**
 * A run of ours from its events. Where planner and memory were off, `full` says how they are
 * replayed. Throws PmcoderError `storage` when the events do not start with `begin`.
 */
export function runRecording(events: readonly RecordedEvent[], full: RunConfig): Recording {
  const tally = tallyOf(events);
  const { begin, end, patch } = tally;
  const { planner, memory } = begin.config;
  const advised = planner.on || memory.on;
  const chunks = chunksOf(withCalls(events));
  return {
    source: "run",
    instanceId: begin.instanceId,
    task: begin.task,
    model: begin.model,
    arm: begin.arm,
    status: end?.status ?? "running",
    reason: end?.reason ?? null,
    activity: end ? null : activityOf(events),
    turns: chunks.map((chunk, at) =>
      turnOf(chunk, { advised, isPast: end !== null || at < chunks.length - 1 }),
    ),
    notices: events.flatMap((event) => (event.type === "notice" ? [event.text] : [])),
    search: searchIn(events),
    patch,
    submission: events.findLast((event) => event.type === "submission")?.text ?? null,
    ...spentBy(tally),
    startedAt: begin.at,
    advised,
    options: optionsOf(begin, events, advised ? begin.config : full),
    cut: false,
  };
}

function spentBy({ cost, tokens, end, seconds }: Tally) {
  return { cost, tokens, seconds: end?.seconds ?? seconds };
}

function optionsOf(
  { environment, reproducer }: Of<"begin">,
  events: readonly RecordedEvent[],
  config: RunConfig,
): SubstrateOptions {
  const root = environment.workdir;
  const listing = events.find((event) => event.type === "listing");
  const plan = events.find((event) => event.type === "reply" && event.purpose === "decompose");
  return {
    config,
    root,
    ...(listing ? { files: listing.files } : {}),
    decomposition: plan?.type === "reply" ? plan.message.content : null,
    // The record keeps the script, not the place where it lay; commands that name it are rare.
    reproducer: reproducer ? `${reproducer.sha256}.reproducer` : null,
  };
}

/** The events of one turn: failed model calls, the reply, and what follows up to the next. */
interface Chunk {
  readonly reply: Of<"reply">;
  /** Where a workflow stands; null: the loop has no stages. */
  readonly stage: string | null;
  readonly events: readonly RecordedEvent[];
}

function chunksOf(events: readonly RecordedEvent[]): readonly Chunk[] {
  const starts = events.flatMap((event, at) => {
    if (event.type !== "reply" || !isStep(event.purpose)) return [];
    let from = at;
    while (isBefore(events[from - 1])) from--;
    const entered = events.slice(0, at).findLast((one) => one.type === "stage");
    return [{ reply: event, from, stage: entered?.stage ?? null }];
  });
  return starts.map(({ reply, from, stage }, at) => ({
    reply,
    stage,
    events: events.slice(from, starts[at + 1]?.from),
  }));
}

/** Failed model calls, and what a workflow asked. */
const isBefore = (event: RecordedEvent | undefined) =>
  event?.type === "retry" || event?.type === "question";

function turnOf(
  { reply, stage, events }: Chunk,
  { advised, isPast }: { readonly advised: boolean; readonly isPast: boolean },
): RecordedTurn {
  const { step: index, message, cost, seconds } = reply;
  const error = events.find((event) => event.type === "format_error");
  const advice = events.find((event) => event.type === "advice") ?? null;
  const calls = message.calls.map((call) => callOf(call, events));
  const isDone = !advised && calls.at(-1)?.outcome != null;
  return {
    index,
    stage: stage === null ? null : `${stage}: ${reply.purpose}`,
    thought: message.content,
    calls,
    refusal: error ? (error.answers[0]?.content ?? error.kind) : null,
    cost,
    modelSeconds: seconds,
    retries: events.flatMap((event) => (event.type === "retry" ? [retryText(event)] : [])),
    advice,
    experience: events.find((event) => event.type === "experience") ?? null,
    complete: isPast || advice !== null || error !== undefined || isDone,
    observed: error ? [refusedStep(reply, error)] : observedOf(reply, calls),
  };
}

function retryText({ attempt, of, waitSec, reason }: Of<"retry">): string {
  return `Model call failed (${attempt} of ${of}), again in ${waitSec} s: ${reason}`;
}

function callOf({ id, input }: ToolCall, events: readonly RecordedEvent[]): RecordedCall {
  const of = <Type extends "command" | "observation" | "integrity" | "verdict">(type: Type) =>
    events.find(
      (event): event is Of<Type> => event.type === type && "callId" in event && event.callId === id,
    ) ?? null;
  const asked = input["command"];
  const observation = of("observation");
  return {
    command: of("command")?.command ?? (typeof asked === "string" ? asked : JSON.stringify(input)),
    outcome: observation && outcomeOf(observation),
    integrity: of("integrity"),
    verdict: of("verdict"),
  };
}

function outcomeOf(observation: Of<"observation">): Outcome {
  const { output, exitCode, timedOut, interrupted, seconds, leftOutBytes } = observation;
  return { output, exitCode, timedOut, interrupted, seconds, leftOutBytes };
}

function refusedStep({ step: index, message }: Of<"reply">, { answers }: Of<"format_error">) {
  const refused = { command: null, output: "", exitCode: null, timedOut: false, rejected: true };
  const step = { index, thought: message.content, ...refused, answers: answers.length };
  return { step, call: null };
}

function observedOf(
  { step: index, message }: Of<"reply">,
  calls: readonly RecordedCall[],
): RecordedTurn["observed"] {
  return calls.flatMap(({ command, outcome }, call) => {
    if (outcome === null) return [];
    const { output, exitCode, timedOut } = outcome;
    const more = call < calls.length - 1;
    const thought = message.content;
    return [{ step: { index, thought, command, output, exitCode, timedOut, more }, call }];
  });
}

function activityOf(events: readonly RecordedEvent[]): Activity {
  const last = events.at(-1);
  const since = last?.at ?? 0;
  if (last?.type === "command") return { kind: "command", since };
  if (last?.type === "check") return { kind: "check", since };
  return { kind: "model", since };
}
