import type { RunConfig } from "../domain/config/run-config.ts";
import { appendedBy } from "../domain/conversation.ts";
import type { ExitStatus, RecordedEvent } from "../domain/episode.ts";
import type { ToolCall } from "../domain/message.ts";
import { isStep } from "../domain/model.ts";
import { type Tally, tallyOf } from "./tally.ts";
import { withCalls } from "./workflow-turns.ts";

/** The release of mini-swe-agent whose files these are like, for readers that look at it. */
const miniVersion = "2.4.6";

/** mini-swe-agent's names where it has one; else a class name, as it writes for an exception. */
const exitNames: Readonly<Record<ExitStatus, string>> = {
  submitted: "Submitted",
  no_patch: "Submitted",
  step_limit: "LimitsExceeded",
  cost_limit: "LimitsExceeded",
  time_limit: "TimeExceeded",
  format_errors: "RepeatedFormatError",
  context_exhausted: "ContextWindowExceededError",
  environment_lost: "EnvironmentLost",
  image_missing: "ImageMissing",
  model_unavailable: "ModelUnavailable",
  interrupted: "KeyboardInterrupt",
  error: "InternalError",
};

/** A message of the chat API with mini-swe-agent's `extra`. */
interface MiniMessageOut {
  readonly role: "system" | "user" | "assistant" | "tool" | "exit";
  readonly content: string;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** `trajectory.json`. */
export interface MiniTrajectory {
  readonly info: Readonly<Record<string, unknown>>;
  readonly messages: readonly MiniMessageOut[];
  readonly trajectory_format: "mini-swe-agent-1.1";
  readonly instance_id?: string;
}

/**
 * An episode as a mini-swe-agent-1.1 trajectory, which its inspector, its converters and our own
 * reader take. Fields of ours stand only under `extra` and `info.pmcoder`. Differences that remain:
 * a reply that was rejected is kept (with no `actions`), and the submitting call has its answer.
 * `submission`: the patch or text that the run submits, empty if there is none.
 */
export function miniTrajectory(
  events: readonly RecordedEvent[],
  submission: string,
): MiniTrajectory {
  const tally = tallyOf(events);
  const { begin, end } = tally;
  const rejected = new Set(
    events.flatMap((event) => (event.type === "format_error" ? [event.step] : [])),
  );
  const exit = end ? [exitMessage(end, submission)] : [];
  const messages: MiniMessageOut[] = [];
  for (const event of withCalls(events)) {
    messages.push(...messagesOf(event, begin, rejected));
    append(messages, event);
  }
  return {
    info: infoOf(events, tally, submission),
    messages: [...messages, ...exit],
    trajectory_format: "mini-swe-agent-1.1",
    ...(begin.instanceId === null ? {} : { instance_id: begin.instanceId }),
  };
}

/** The newest tool result as the model saw it: what was appended stands in its text. */
function append(messages: MiniMessageOut[], event: RecordedEvent): void {
  const { callId = null, text = null } = appendedBy(event) ?? {};
  const newest = messages.at(-1);
  if (text === null || newest?.role !== "tool" || newest.tool_call_id !== callId) return;
  messages.splice(-1, 1, { ...newest, content: `${newest.content}\n\n${text}` });
}

function infoOf(events: readonly RecordedEvent[], tally: Tally, submission: string) {
  const { begin, end, patch, calls, cost, seconds } = tally;
  const { config } = begin;
  return {
    model_stats: { instance_cost: cost ?? 0, api_calls: calls.act + calls.other },
    config: miniConfig(config, tally),
    mini_version: miniVersion,
    exit_status: end ? exitNames[end.status] : "",
    submission: end ? submission : "",
    pmcoder: {
      version: begin.version,
      run: begin.run,
      arm: begin.arm,
      task: begin.task,
      base: { tree: begin.base.tree, commit: begin.base.commit },
      exit_status: end?.status ?? "running",
      reason: end?.reason ?? "",
      seconds,
      cost,
      patch: patch && { source: patch.source, files: patch.files, applies: patch.applies },
      notices: events.flatMap((event) => (event.type === "notice" ? [event.text] : [])),
      config,
    },
  };
}

function miniConfig({ agent, environment, model }: RunConfig, { begin }: Tally) {
  return {
    agent: {
      step_limit: agent.stepLimit,
      cost_limit: agent.costLimit ?? 0,
      wall_time_limit_seconds: agent.timeLimitSec ?? 0,
      max_consecutive_format_errors: agent.maxFormatErrors ?? 0,
    },
    agent_type: "pmcoder.agent.Loop",
    model: {
      model_name: begin.model,
      model_kwargs: model.temperature === null ? {} : { temperature: model.temperature },
    },
    model_type: "pmcoder.models.Model",
    environment: {
      cwd: begin.environment.workdir,
      timeout: environment.commandTimeoutSec,
      env: environment.env,
      ...(environment.image === null ? {} : { image: environment.image }),
    },
    environment_type: `pmcoder.environments.${begin.environment.kind}`,
  };
}

type Begin = Tally["begin"];
type Of<Type extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

const unixSeconds = ({ at }: RecordedEvent) => at / 1000;

function messagesOf(
  event: RecordedEvent,
  begin: Begin,
  rejected: ReadonlySet<number>,
): readonly MiniMessageOut[] {
  switch (event.type) {
    case "prompt":
      return [
        { role: "system", content: event.system },
        { role: "user", content: event.task },
      ];
    case "reply":
      return isStep(event.purpose)
        ? [assistantMessage(event, begin, rejected.has(event.step))]
        : [];
    case "question":
      return newIn(event).map(({ role, content }) => ({ role, content }));
    case "format_error":
      return formatErrorMessages(event);
    case "observation":
      return [toolMessage(event, begin)];
    case "skipped":
      return [unrunMessage(event.callId, event.content, { timestamp: unixSeconds(event) })];
    default:
      return [];
  }
}

/** Of a workflow's question, what its model has not said or been told in the one before. */
function newIn({ messages }: Of<"question">) {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1);
}

function toolCall({ id, name, input }: ToolCall) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function assistantMessage(event: Of<"reply">, begin: Begin, isRejected: boolean): MiniMessageOut {
  const { message, usage, cost, purpose } = event;
  const { content, calls } = message;
  const actions = calls.map(({ id, input }) => ({ command: input["command"], tool_call_id: id }));
  return {
    role: "assistant",
    content,
    ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
    extra: {
      actions: isRejected ? [] : actions,
      response: {
        model: begin.model,
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached },
        },
      },
      cost: cost ?? 0,
      timestamp: unixSeconds(event),
      ...(purpose === "act" ? {} : { pmcoder: { purpose } }),
    },
  };
}

function formatErrorMessages(event: Of<"format_error">): readonly MiniMessageOut[] {
  const interrupt = { interrupt_type: "FormatError", timestamp: unixSeconds(event) };
  return event.answers.map(({ callId, content }) =>
    callId === null
      ? { role: "user", content, extra: interrupt }
      : unrunMessage(callId, content, interrupt),
  );
}

/** The answer to a call that was not carried out. */
function unrunMessage(callId: string, content: string, extra: object): MiniMessageOut {
  const nothing = { raw_output: "", returncode: -1, exception_info: "action was not executed" };
  return { role: "tool", tool_call_id: callId, content, extra: { ...nothing, ...extra } };
}

/** A command past its time has no return code of its own in mini-swe-agent, but an exception. */
function ending(event: Of<"observation">, limitSec: number) {
  if (event.timedOut) {
    const exception = `Command timed out after ${limitSec} seconds`;
    return {
      returncode: -1,
      exception_info: `An error occurred while executing the command: ${exception}`,
      exception_type: "TimeoutExpired",
      exception,
    };
  }
  const interruption = event.interrupted ? "interrupted by the user, effect unknown" : "";
  return { returncode: event.exitCode, exception_info: interruption };
}

function toolMessage(event: Of<"observation">, { config }: Begin): MiniMessageOut {
  const { callId, content, output, seconds, totalBytes, leftOutBytes, background } = event;
  return {
    role: "tool",
    tool_call_id: callId,
    content,
    extra: {
      raw_output: output,
      ...ending(event, config.environment.commandTimeoutSec),
      timestamp: unixSeconds(event),
      pmcoder: { seconds, total_bytes: totalBytes, left_out_bytes: leftOutBytes, background },
    },
  };
}

function exitMessage(end: Of<"end">, submission: string): MiniMessageOut {
  const extra = { exit_status: exitNames[end.status], submission, timestamp: unixSeconds(end) };
  return { role: "exit", content: submission, extra };
}
