import type Anthropic from "@anthropic-ai/sdk";
import type { ToolCall } from "../domain/message.ts";
import type { ModelReply, StopReason, Usage } from "../domain/model.ts";
import { isObject, readArguments } from "./arguments.ts";
import { BrokenReply } from "./failure.ts";

type Event = Anthropic.RawMessageStreamEvent;
type Block = Record<string, unknown>;

/** A reply as it came: whole blocks, and the raw JSON of each tool call's input. */
interface Received {
  model: string;
  readonly blocks: Block[];
  readonly json: string[];
  readonly usage: Record<string, unknown>;
  stop: string | null;
}

/** Text, thinking, signatures, and fields not known yet: each fragment is the end of its field. */
function addDelta(block: Block, delta: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(delta)) {
    if (field === "type") continue;
    if (field === "citation") block["citations"] = [...listOf(block["citations"]), value];
    else if (typeof value === "string") block[field] = `${block[field] ?? ""}${value}`;
    else block[field] = value;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function addUsage(received: Received, usage: object | null | undefined): void {
  for (const [field, value] of Object.entries(usage ?? {})) {
    if (typeof value === "number") received.usage[field] = value;
  }
}

function addEvent(received: Received, event: Event): void {
  switch (event.type) {
    case "message_start":
      received.model = event.message.model;
      addUsage(received, event.message.usage);
      return;
    case "content_block_start":
      received.blocks[event.index] = { ...event.content_block };
      received.json[event.index] = "";
      return;
    case "content_block_delta": {
      const block = received.blocks[event.index];
      if (block === undefined) throw new BrokenReply("a fragment of a block that never began");
      if (event.delta.type === "input_json_delta") {
        received.json[event.index] += event.delta.partial_json;
      } else addDelta(block, { ...event.delta });
      return;
    }
    case "message_delta":
      received.stop = event.delta.stop_reason ?? received.stop;
      addUsage(received, event.usage);
      return;
    default:
      return;
  }
}

function stopOf(reason: string | null, calls: number): StopReason {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "refusal";
  return calls > 0 ? "calls" : "end";
}

function usageOf(usage: Readonly<Record<string, unknown>>): Usage {
  const count = (field: string) => Number(usage[field] ?? 0);
  const cached = count("cache_read_input_tokens");
  const cacheWritten = count("cache_creation_input_tokens");
  return {
    input: count("input_tokens") + cached + cacheWritten,
    cached,
    cacheWritten,
    output: count("output_tokens"),
  };
}

/** The input of a call: streamed as JSON text, or (some compatible servers) whole at its start. */
function readInput(block: Block, json: string): Pick<ToolCall, "input" | "malformed"> {
  const whole = block["input"];
  if (json === "" && isObject(whole) && Object.keys(whole).length > 0) return { input: whole };
  return readArguments(json);
}

function callOf(block: Block, json: string, cut: boolean): ToolCall {
  const { input, malformed } = readInput(block, json);
  return {
    id: String(block["id"]),
    name: String(block["name"]),
    input,
    ...(cut ? { cut: true } : malformed === undefined ? {} : { malformed }),
  };
}

/** A thinking block that the limit cut has no signature, and the API would refuse it. */
function isHalfThinking(block: Block | undefined): boolean {
  return block?.["type"] === "thinking" && !block["signature"];
}

/** `native` is what came, with each call's input as the object that the message holds. */
function replyOf(received: Received): ModelReply {
  const cutShort = stopOf(received.stop, 0) === "length";
  const last = received.blocks.length - 1;
  const calls = new Map<Block, ToolCall>();
  received.blocks.forEach((block, at) => {
    if (block["type"] !== "tool_use") return;
    calls.set(block, callOf(block, received.json[at] ?? "", cutShort && at === last));
  });
  const kept =
    cutShort && isHalfThinking(received.blocks[last])
      ? received.blocks.slice(0, last)
      : received.blocks;
  const blocks = kept.map((block) => {
    const call = calls.get(block);
    return call === undefined ? block : { ...block, input: call.input };
  });
  const texts = kept.filter(({ type }) => type === "text").map(({ text }) => String(text ?? ""));
  return {
    message: {
      role: "assistant",
      content: texts.filter((text) => text.trim() !== "").join("\n"),
      calls: [...calls.values()],
      native: { provider: "anthropic", blocks },
    },
    usage: usageOf(received.usage),
    stop: stopOf(received.stop, calls.size),
    model: received.model,
  };
}

/**
 * Reads a whole streamed reply. What breaks once the API has said why it stopped takes nothing from
 * the reply, which is paid for.
 * @throws BrokenReply when the stream ends before that; whatever it fails with before that.
 */
export async function readReply(events: AsyncIterable<Event>): Promise<ModelReply> {
  const received: Received = { model: "", blocks: [], json: [], usage: {}, stop: null };
  try {
    for await (const event of events) addEvent(received, event);
  } catch (error) {
    if (received.stop === null) throw error;
  }
  if (received.stop === null) throw new BrokenReply("the stream ended before the reply was whole");
  return replyOf(received);
}
