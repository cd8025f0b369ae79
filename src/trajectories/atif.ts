import { appendedBy } from "../domain/conversation.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { AssistantMessage } from "../domain/message.ts";
import { type Tally, tallyOf } from "./tally.ts";

interface AtifResult {
  readonly source_call_id: string;
  readonly content: string;
}

/** Keys that are left out are unknown, or do not fit the source: others are forbidden. */
interface AtifStep {
  readonly timestamp: string;
  readonly source: "system" | "user" | "agent";
  readonly message: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly unknown[];
  readonly observation?: { readonly results: readonly AtifResult[] };
  readonly metrics?: Readonly<Record<string, number>>;
  /** 0: planner and memory, which ask no model. */
  readonly llm_call_count?: 0 | 1;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A run in the Agent Trajectory Interchange Format of Harbor. */
export interface AtifTrajectory {
  readonly schema_version: "ATIF-v1.7";
  readonly session_id: string;
  readonly trajectory_id: string;
  readonly agent: {
    readonly name: "pmcoder";
    readonly version: string;
    readonly model_name: string;
    readonly extra: Readonly<Record<string, unknown>>;
  };
  readonly steps: readonly (AtifStep & { readonly step_id: number })[];
  readonly notes?: string;
  readonly final_metrics: Readonly<Record<string, number>>;
  readonly extra: Readonly<Record<string, unknown>>;
}

/**
 * An episode as ATIF-v1.7. A turn is one step that holds its tool results as the model saw them,
 * with all that was appended; what grounding found of it stands in the step's `extra`. After it
 * comes, with `llm_call_count` 0, a step of what planner and memory made of the turn, its record in
 * `extra`. `iso` writes epoch milliseconds as ISO 8601. Throws PmcoderError `storage` when the
 * events do not start with `begin`.
 */
export function atifTrajectory(
  events: readonly RecordedEvent[],
  iso: (at: number) => string,
): AtifTrajectory {
  const tally = tallyOf(events);
  const { begin } = tally;
  const steps: AtifStep[] = [];
  for (const event of events) {
    steps.push(...stepsBy(event, iso(event.at)));
    fold(steps, event);
  }
  const notes = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  return {
    schema_version: "ATIF-v1.7",
    session_id: begin.run,
    trajectory_id: begin.run,
    agent: {
      name: "pmcoder",
      version: begin.version,
      model_name: begin.model,
      extra: { arm: begin.arm, environment: begin.environment, config: begin.config },
    },
    steps: steps.map((step, at) => ({ step_id: at + 1, ...step })),
    ...(notes.length === 0 ? {} : { notes: notes.join("\n") }),
    final_metrics: finalMetrics(tally, steps.length),
    extra: rootExtra(tally),
  };
}

function finalMetrics({ tokens, cost }: Tally, steps: number): AtifTrajectory["final_metrics"] {
  return {
    total_prompt_tokens: tokens.input,
    total_completion_tokens: tokens.output,
    total_cached_tokens: tokens.cached,
    ...(cost === null ? {} : { total_cost_usd: cost }),
    total_steps: steps,
  };
}

function rootExtra({ begin, end, patch, calls, seconds, ...rest }: Tally) {
  return {
    instance_id: begin.instanceId,
    exit_status: end?.status ?? "running",
    reason: end?.reason ?? "",
    base: { tree: begin.base.tree, commit: begin.base.commit },
    patch: patch && { source: patch.source, files: patch.files, applies: patch.applies },
    model_calls: calls,
    seconds,
    phases: rest.phases,
    backtracks: rest.backtracks,
    verdict: rest.verdict,
    injected: rest.injected,
  };
}

/** The steps that an event begins. */
function stepsBy(event: RecordedEvent, timestamp: string): readonly AtifStep[] {
  switch (event.type) {
    case "prompt":
      return [
        { timestamp, source: "system", message: event.system },
        { timestamp, source: "user", message: event.task },
      ];
    case "reply":
      return [{ timestamp, ...replyStep(event) }];
    case "format_error":
      return event.answers
        .filter(({ callId }) => callId === null)
        .map(({ content }) => ({ timestamp, source: "user", message: content }));
    case "advice":
      return [
        { timestamp, source: "agent", message: told(event), llm_call_count: 0, ...asExtra(event) },
      ];
    case "experience":
      return [{ timestamp, source: "agent", message: "", llm_call_count: 0, ...asExtra(event) }];
    case "compact":
      return [{ timestamp, source: "system", message: compacted(event), ...asExtra(event) }];
    case "resume":
      return [{ timestamp, source: "system", message: resumed, ...asExtra(event) }];
    default:
      return [];
  }
}

type Of<Type extends EpisodeEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

/** The event by its type's name, without what the step says already. */
function asExtra(event: RecordedEvent): Pick<AtifStep, "extra"> {
  const { type, run: _run, seq: _seq, at: _at, ...record } = event;
  return { extra: { [type]: record } };
}

const compacted = ({ upTo }: Of<"compact">) =>
  `Tool results up to step ${upTo} are shown as one line each from here on.`;
const resumed = "Another process goes on with the run.";

/** Plan and memory in one line for people. */
function told({ policyPhase, subTask, done, total, retrieved }: Of<"advice">): string {
  const plan =
    policyPhase === null ? [] : [`${policyPhase} ${done}/${total}`, subTask?.title ?? ""];
  const recalled = retrieved.length === 0 ? "" : `recalled ${retrieved.length} messages`;
  return [...plan, recalled].filter((part) => part !== "").join(" · ");
}

function replyStep(event: Of<"reply">): Omit<AtifStep, "timestamp"> {
  const { message, usage, cost, purpose } = event;
  const reasoning = reasoningOf(message);
  return {
    source: "agent",
    message: message.content,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(message.calls.length === 0 ? {} : { tool_calls: message.calls.map(toolCall) }),
    metrics: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      cached_tokens: usage.cached,
      ...(cost === null ? {} : { cost_usd: cost }),
    },
    llm_call_count: 1,
    extra: { step: event.step, purpose, stop: event.stop, seconds: event.seconds },
  };
}

function toolCall({ id, name, input }: AssistantMessage["calls"][number]) {
  return { tool_call_id: id, function_name: name, arguments: input };
}

/** The thinking that the provider showed, as Anthropic and OpenAI-compatible servers name it. */
function reasoningOf({ native }: AssistantMessage): string {
  const texts = native?.blocks.flatMap((block) => {
    const fields = new Map<string, unknown>(Object.entries(Object(block)));
    return ["thinking", "reasoning_content", "reasoning"].map((name) => fields.get(name));
  });
  return (texts ?? []).filter((text) => typeof text === "string").join("\n\n");
}

/** What an event adds to the turn before it: results, text at the end of one, what grounding found. */
function fold(steps: AtifStep[], event: RecordedEvent): void {
  const at = steps.findLastIndex((step) => step.tool_calls !== undefined);
  const turn = steps[at];
  if (turn === undefined) return;
  const grown = extended(appended(answered(turn, event), event), event);
  steps.splice(at, 1, grown);
}

const resultsOf = (step: AtifStep) => step.observation?.results ?? [];

function answered(step: AtifStep, event: RecordedEvent): AtifStep {
  const results = [...resultsOf(step), ...answersIn(event)];
  return results.length === 0 ? step : { ...step, observation: { results } };
}

function answersIn(event: RecordedEvent): readonly AtifResult[] {
  switch (event.type) {
    case "observation":
    case "skipped":
      return [{ source_call_id: event.callId, content: event.content }];
    case "format_error":
      return event.answers.flatMap(({ callId, content }) =>
        callId === null ? [] : [{ source_call_id: callId, content }],
      );
    default:
      return [];
  }
}

/** As in the conversation: only the newest result grows. */
function appended(step: AtifStep, event: RecordedEvent): AtifStep {
  const { callId = null, text = null } = appendedBy(event) ?? {};
  const newest = resultsOf(step).at(-1);
  if (text === null || newest === undefined || newest.source_call_id !== callId) return step;
  const grown = { ...newest, content: `${newest.content}\n\n${text}` };
  return { ...step, observation: { results: [...resultsOf(step).slice(0, -1), grown] } };
}

const found: readonly string[] = ["integrity", "verdict", "submission"];

function extended(step: AtifStep, event: RecordedEvent): AtifStep {
  return found.includes(event.type)
    ? { ...step, extra: { ...step.extra, ...asExtra(event).extra } }
    : step;
}
