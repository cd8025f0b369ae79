import type { ForeignEpisode, Turn, TurnCall } from "./foreign.ts";
import { taskIn } from "./issue-text.ts";
import { objectOf } from "./message-text.ts";
import { type ChatCall, configured, type MiniFile, type MiniMessage } from "./mini-file.ts";
import { resultFromExtra, resultFromText } from "./mini-observation.ts";
import { parseJson } from "./salvage.ts";

/** The fences that mini-swe-agent reads commands from: v1's, and v2's for models without tools. */
const fenced = /```(?:bash|mswea_bash_command)\s*\n([\s\S]*?)\n```/g;

const sentinel = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/;

/** An assistant message with the messages up to the next one. */
interface Exchange {
  readonly index: number;
  readonly reply: MiniMessage;
  readonly answers: readonly MiniMessage[];
}

function exchanges(messages: readonly MiniMessage[]): readonly Exchange[] {
  const replies = messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  return replies.flatMap((at, n) => {
    const reply = messages[at];
    return reply ? [{ index: n + 1, reply, answers: messages.slice(at + 1, replies[n + 1]) }] : [];
  });
}

function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(fenced)].map((match) => (match[1] ?? "").trim());
}

function turnOf({ index, reply }: Exchange, calls: readonly TurnCall[], rejected: boolean): Turn {
  const thought = reply.text.replace(fenced, "").trim();
  return { index, thought, content: reply.text, calls, rejected };
}

/**
 * v1: the command is the one fenced block of the text. With none or several its harness ran nothing
 * and the next message is its complaint. The last message is the submission, whatever its role.
 */
function turnFromText(exchange: Exchange): Turn {
  const { index, reply, answers } = exchange;
  const commands = commandsIn(reply.text);
  const rejected = commands.length !== 1;
  const answer = rejected ? undefined : answers[0];
  const result = answer ? resultFromText(answer.text) : null;
  const calls = commands.map((command, n) => ({ id: `call_${index}_${n + 1}`, command, result }));
  return turnOf(exchange, calls, rejected);
}

/** What a call of the chat API asks to run, however badly. */
function commandOf({ function: { arguments: text } }: ChatCall): string {
  const command = objectOf(parseJson(text)?.value)?.["command"];
  return typeof command === "string" ? command : text;
}

type Asked = Omit<TurnCall, "result">;

/** v2: the parsed actions if there are any, else what the reply tried to call. */
function asked({ index, reply }: Exchange): readonly Asked[] {
  const { actions } = reply.extra;
  if (actions && actions.length > 0) {
    return actions.map(({ command, tool_call_id }, n) => ({
      id: tool_call_id ?? `call_${index}_${n + 1}`,
      command,
    }));
  }
  if (reply.calls.length > 0) {
    return reply.calls.map((call) => ({ id: call.id, command: commandOf(call) }));
  }
  return commandsIn(reply.text).map((command, n) => ({ id: `call_${index}_${n + 1}`, command }));
}

/**
 * A reply is rejected when nothing in it was parsed as an action. A format error that follows is no
 * sign of it: v2 writes those for replies which it does not keep.
 */
function turnFromActions(exchange: Exchange, isRecorded: boolean): Turn {
  const { reply, answers } = exchange;
  const calls = asked(exchange);
  const observations = answers.filter(({ extra }) => extra.returncode !== undefined);
  const rejected = isRecorded ? !reply.extra.actions?.length : calls.length === 0;
  const answered = calls.map((call, n) => ({
    ...call,
    result: rejected ? null : resultOf(call.id, observations, n),
  }));
  return turnOf(exchange, answered, rejected);
}

/** By the call's id; an observation without one answers the call at its own place. */
function resultOf(id: string, observations: readonly MiniMessage[], n: number) {
  const answer = observations.find(({ callId }) => callId === id) ?? observations[n];
  const code = answer?.extra.returncode;
  if (!answer || code === undefined || (answer.callId !== null && answer.callId !== id))
    return null;
  return resultFromExtra({ ...answer.extra, returncode: code }, answer.text);
}

/** A question of one of our workflows that ran nothing is no turn. */
const isTurn = ({ reply: { extra } }: Exchange) =>
  extra.pmcoder?.purpose === undefined || (extra.actions?.length ?? 0) > 0;

/** v2 keeps no observation of the submitting command, but it must have exited 0. */
function withSubmission(turns: readonly Turn[], { info }: MiniFile): readonly Turn[] {
  const last = turns.at(-1);
  const submitted = last?.calls.findIndex(({ command }) => sentinel.test(command)) ?? -1;
  if (!last || info.exit_status !== "Submitted" || last.calls[submitted]?.result) return turns;
  const result = { output: info.submission ?? "", exitCode: 0, timedOut: false };
  const calls = last.calls.map((call, n) => (n === submitted ? { ...call, result } : call));
  return [...turns.slice(0, -1), { ...last, calls }];
}

/** Whether the file is of the second generation: parsed actions or tool calls beside the text. */
function isSecond({ trajectory_format: format, messages }: MiniFile): boolean {
  if (format !== null) return format === "mini-swe-agent-1.1";
  return messages.some(({ extra, calls }) => extra.actions !== undefined || calls.length > 0);
}

/**
 * An episode of mini-swe-agent v1 (`mini-swe-agent-1`, or older without the mark), of v2
 * (`mini-swe-agent-1.1`, chat, responses or text models), or one that pmcoder exported.
 */
export function readMini(file: MiniFile, cut: boolean): ForeignEpisode {
  const { info, messages } = file;
  const second = isSecond(file);
  const recorded = messages.some(({ extra }) => extra.actions !== undefined);
  const turns = exchanges(messages)
    .filter(isTurn)
    .map((exchange) => (second ? turnFromActions(exchange, recorded) : turnFromText(exchange)));
  const firstReply = messages.findIndex(({ role }) => role === "assistant");
  const prompt = messages.slice(0, firstReply === -1 ? undefined : firstReply).at(-1)?.text ?? "";
  return {
    format: second ? "mini-swe-agent-1.1" : "mini-swe-agent-1",
    instanceId: file.instance_id,
    task: info.pmcoder?.task ?? taskIn(prompt, configured(file, "agent", "instance_template")),
    model: configured(file, "model", "model_name"),
    workdir: configured(file, "environment", "cwd") || null,
    exitStatus: info.exit_status === "" ? null : info.exit_status,
    submission: info.submission,
    turns: second ? withSubmission(turns, file) : turns,
    cut,
  };
}
