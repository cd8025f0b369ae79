import type OpenAI from "openai";
import type { AssistantMessage, Message } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import type { Dialect } from "./openai-dialect.ts";

type Param = OpenAI.ChatCompletionMessageParam;

function orElse(text: string, stand: string): string {
  return text.trim() === "" ? stand : text;
}

/** The server's own reasoning fields, or the empty one that a server expects beside tool calls. */
function reasoningOf(message: AssistantMessage): object {
  const fields = message.native?.provider === "openai" ? message.native.blocks[0] : undefined;
  return (fields as object | undefined) ?? { reasoning_content: "" };
}

function assistantParam(message: AssistantMessage, dialect: Dialect): Param {
  const { content, calls } = message;
  const reasoning = dialect.sendReasoning ? reasoningOf(message) : {};
  if (calls.length === 0) {
    return { ...reasoning, role: "assistant", content: orElse(content, "(no text)") };
  }
  return {
    ...reasoning,
    role: "assistant",
    content: content.trim() === "" ? null : content,
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function paramOf(message: Message, dialect: Dialect): Param {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: orElse(message.content, "(no text)") };
    case "assistant":
      return assistantParam(message, dialect);
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.callId,
        content: orElse(message.content, "(no output)"),
      };
  }
}

/** The request as a chat-completions server takes it. The same messages give the same bytes. */
export function openaiRequest(
  request: ModelRequest,
  model: string,
  dialect: Dialect,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const { temperature, seed } = request;
  const tools = request.tools.map(
    ({ name, description, parameters }): OpenAI.ChatCompletionTool => ({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    }),
  );
  return {
    model,
    stream: true,
    ...(dialect.askUsage ? { stream_options: { include_usage: true } } : {}),
    [dialect.limitField]: request.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined || !dialect.sendSeed ? {} : { seed }),
    ...(tools.length > 0 ? { tools } : {}),
    messages: request.messages.map((message) => paramOf(message, dialect)),
  };
}
