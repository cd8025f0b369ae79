import { anthropicRules } from "./anthropic-rules.ts";
import { type Answer, type End, events, json, type Loopback, serve } from "./server.ts";

type Block = Readonly<Record<string, unknown>>;

/** `forgetful`: for an adapter that has a reason to change what was said. */
export function anthropicServer({ forgetful = false } = {}): Promise<Loopback> {
  return serve((received) => anthropicRules(forgetful ? received.slice(-1) : received));
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}`;
}

/** `text` in fragments of a few characters, as it would come from a model. */
function fragments(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

type Streamed = { readonly start: Block; readonly deltas: readonly Block[] };

/** A block as the API streams it. A tool_use block's `input` may be raw JSON text, whole or not. */
function streamed(block: Block): Streamed {
  const delta = (type: string, field: string, text: unknown) =>
    fragments(String(text)).map((fragment) => ({ type, [field]: fragment }));
  if (block["type"] === "text") {
    return {
      start: { ...block, text: "" },
      deltas: delta("text_delta", "text", block["text"]),
    };
  }
  if (block["type"] === "thinking") {
    const { thinking, signature } = block;
    return {
      start: { ...block, thinking: "", signature: "" },
      deltas: [
        ...delta("thinking_delta", "thinking", thinking),
        ...(signature ? [{ type: "signature_delta", signature }] : []),
      ],
    };
  }
  if (block["type"] !== "tool_use") return { start: block, deltas: [] };
  const { input } = block;
  const raw = typeof input === "string" ? input : JSON.stringify(input);
  return { start: { ...block, input: {} }, deltas: delta("input_json_delta", "partial_json", raw) };
}

function blockEvents(block: Block, index: number): string[] {
  const { start, deltas } = streamed(block);
  return [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

/** A call of bash. `input`: an object, or raw JSON text as the model wrote it. */
export function toolUse(id: string, input: unknown): Block {
  return { type: "tool_use", id, name: "bash", input };
}

export interface AnthropicReply {
  readonly blocks: readonly Block[];
  readonly stop?: string;
  readonly usage?: Block;
}

const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 2000,
  cache_creation_input_tokens: 300,
  output_tokens: 1,
};

/** A reply as events, of which the last but one says why it stopped. */
export function linesOf({ blocks, stop = "end_turn", usage: final }: AnthropicReply): string[] {
  return [
    event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-loopback-1",
        content: [],
        stop_reason: null,
        usage,
      },
    }),
    event("ping", {}),
    ...blocks.flatMap(blockEvents),
    event("message_delta", {
      delta: { stop_reason: stop },
      usage: { output_tokens: 40, ...final },
    }),
    event("message_stop", {}),
  ];
}

export function reply(of: AnthropicReply): Answer {
  return events(linesOf(of));
}

/** The first `count` events of a reply, and then `end`. */
export function partOf(of: AnthropicReply, count: number, end: End): Answer {
  return events(linesOf(of).slice(0, count), end);
}

function errorBody(type: string, message: string): object {
  return { type: "error", error: { type, message } };
}

/** An error in the middle of a stream that began with HTTP status 200. */
export function errorLine(type: string, message: string): string {
  return `event: error\ndata: ${JSON.stringify(errorBody(type, message))}`;
}

/** The first `count` events of a reply, and then an error event. */
export function brokenBy(of: AnthropicReply, count: number, type: string, message: string): Answer {
  return events([...linesOf(of).slice(0, count), errorLine(type, message)]);
}

export function failure(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  return json(status, errorBody(type, message), headers);
}
