import { z } from "zod";
import type { Turn, TurnCall } from "./foreign.ts";
import { type JsonObject, MessageText, objectOf, TextOrNull } from "./message-text.ts";
import { ChatCall } from "./mini-file.ts";
import { bashCommandOf, bashOf } from "./openhands-tool.ts";
import { parseJson } from "./salvage.ts";

/** A message of a converted row: the chat API's, or tool calls as text. */
export const RowMessage = z.looseObject({
  role: z.string(),
  content: MessageText.default(""),
  tool_calls: z.array(ChatCall).nullish().catch(null),
  tool_call_id: TextOrNull.optional(),
});
export type RowMessage = z.infer<typeof RowMessage>;

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
}

const textCall = /<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g;
const parameter = /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|$)/g;

function inputIn(body: string): JsonObject {
  return Object.fromEntries(
    [...body.matchAll(parameter)].map(([, key, value]) => [key ?? "", value ?? ""]),
  );
}

function callsOf(message: RowMessage, index: number): readonly Call[] {
  if (message.tool_calls && message.tool_calls.length > 0) {
    return message.tool_calls.map(({ id, function: { name, arguments: text } }) => ({
      id,
      tool: name,
      input: objectOf(parseJson(text)?.value) ?? {},
    }));
  }
  return [...message.content.matchAll(textCall)].map(([, tool, body], n) => ({
    id: `call_${index}_${n + 1}`,
    tool: tool ?? "",
    input: inputIn(body ?? ""),
  }));
}

/** The answer to the n-th call: by id, or the message in its place where ids are not kept. */
function answerTo({ id }: Call, answers: readonly RowMessage[], n: number): RowMessage | undefined {
  const named = answers.find(({ tool_call_id: of }) => of === id);
  const placed = answers[n];
  return named ?? (placed?.tool_call_id ? undefined : placed);
}

function answered(call: Call, answers: readonly RowMessage[], n: number): TurnCall {
  const { id, tool, input } = call;
  const answer = answerTo(call, answers, n);
  if (!answer) return { id, command: bashCommandOf(tool, input), result: null };
  return { id, ...bashOf({ tool, input, output: answer.content, exitCode: null }) };
}

/** Each assistant message with the messages after it. */
export function turnsOfMessages(messages: readonly RowMessage[]): readonly Turn[] {
  const replies = messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  return replies.map((at, n) => {
    const index = n + 1;
    const content = messages[at]?.content ?? "";
    const answers = messages.slice(at + 1, replies[n + 1]);
    const calls = messages[at] ? callsOf(messages[at], index) : [];
    return {
      index,
      thought: content.replaceAll(textCall, "").trim(),
      content,
      calls: calls.map((call, place) => answered(call, answers, place)),
      rejected: false,
    };
  });
}
