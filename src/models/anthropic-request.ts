import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantMessage, Message, ToolMessage } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";

type Block = Anthropic.ContentBlockParam;
type Turn = { readonly role: "user" | "assistant"; readonly content: Block[] };

export interface AnthropicStyle {
  readonly model: string;
  readonly promptCache: boolean;
  /** Off after the API refused earlier thinking blocks. */
  readonly sendThinking: boolean;
}

const cacheMark = { cache_control: { type: "ephemeral" } } as const;

/** The API refuses a text block whose trim is empty, so such a text is dropped or stood in for. */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

function textBlock(text: string, stand: string): Anthropic.TextBlockParam {
  return { type: "text", text: isBlank(text) ? stand : text };
}

/** Ids of other providers may hold characters that this API refuses. */
function validId(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}

function rebuilt(message: AssistantMessage): Block[] {
  const calls = message.calls.map(
    ({ id, name, input }): Block => ({ type: "tool_use", id: validId(id), name, input }),
  );
  return [{ type: "text", text: message.content }, ...calls];
}

function isThinking(block: Block): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/**
 * The blocks of an assistant turn: the API's own as they came, else built from the message. Blank
 * text goes, nothing follows a tool_use, and the turn never ends with thinking, which is refused.
 */
function assistantBlocks(message: AssistantMessage, sendThinking: boolean): Block[] {
  const native = message.native?.provider === "anthropic" ? message.native.blocks : null;
  const blocks = ((native as readonly Block[] | null) ?? rebuilt(message))
    .filter((block) => block.type !== "text" || !isBlank(block.text))
    .filter((block) => sendThinking || !isThinking(block));
  const uses = blocks.filter((block) => block.type === "tool_use");
  const before = blocks.filter((block) => block.type !== "tool_use");
  const last = uses.at(-1) ?? before.at(-1);
  const ends = last !== undefined && !isThinking(last);
  return ends ? [...before, ...uses] : [...before, textBlock("", "(no text)")];
}

function resultBlock({ callId, content, isError }: ToolMessage): Block {
  return {
    type: "tool_result",
    tool_use_id: validId(callId),
    content: isBlank(content) ? "(no output)" : content,
    ...(isError ? { is_error: true } : {}),
  };
}

function turnOf(message: Message, style: AnthropicStyle): Turn | null {
  switch (message.role) {
    case "system":
      return null;
    case "assistant":
      return { role: "assistant", content: assistantBlocks(message, style.sendThinking) };
    case "tool":
      return { role: "user", content: [resultBlock(message)] };
    case "user":
      return { role: "user", content: [textBlock(message.content, "(no text)")] };
  }
}

/** Neighbours of one role are one turn, so all tool results of a turn stand in one user message. */
function turnsOf(messages: readonly Message[], style: AnthropicStyle): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turnOf(message, style);
    const last = turns.at(-1);
    if (turn === null) continue;
    if (turn.role === "user" && last?.role === "user") last.content.push(...turn.content);
    else turns.push(turn);
  }
  return turns;
}

function marked<T extends object>(blocks: readonly T[]): T[] {
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...cacheMark } : block));
}

/**
 * Marks the newest two user turns: the older one is where the previous request's mark stood, so
 * its prefix is found whatever was written since; the newer one is where the next will look.
 */
function markedTurns(turns: readonly Turn[]): Turn[] {
  const users = turns.filter((turn) => turn.role === "user").slice(-2);
  return turns.map((turn) =>
    users.includes(turn) ? { role: turn.role, content: marked(turn.content) } : turn,
  );
}

/** The request as the Messages API takes it. The same messages always give the same bytes. */
export function anthropicRequest(
  request: ModelRequest,
  style: AnthropicStyle,
): Anthropic.MessageCreateParamsStreaming {
  const mark = style.promptCache ? marked : <T extends object>(blocks: T[]): T[] => blocks;
  const turns = turnsOf(request.messages, style);
  const system = request.messages
    .filter(({ role, content }) => role === "system" && !isBlank(content))
    .map(({ content }): Anthropic.TextBlockParam => ({ type: "text", text: content }));
  const tools = request.tools.map(
    ({ name, description, parameters }): Anthropic.Tool => ({
      name,
      description,
      input_schema: { ...parameters, type: "object" },
    }),
  );
  return {
    model: style.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(tools.length > 0 ? { tools: system.length > 0 ? tools : mark(tools) } : {}),
    ...(system.length > 0 ? { system: mark(system) } : {}),
    messages: style.promptCache ? markedTurns(turns) : turns,
  };
}
