import { z } from "zod";
import type { ToolCall } from "../domain/message.ts";
import type { ModelReply, ModelRequest, StopReason, Usage } from "../domain/model.ts";
import { readArguments } from "./arguments.ts";
import { BrokenReply } from "./failure.ts";
import type { Chunk, Delta, UsageFields } from "./openai-wire.ts";
import { readTextCall } from "./text-calls.ts";

interface CallParts {
  readonly index: number | null;
  id: string;
  name: string;
  json: string;
}

/** A reply as it came in, with the last `usage` seen: servers send it at the end, always, or never. */
interface Received {
  model: string;
  content: string;
  refusal: string;
  readonly reasoning: Record<string, unknown>;
  readonly calls: CallParts[];
  finish: string | null;
  usage: UsageFields | null;
}

const TextPart = z.looseObject({ text: z.string() });

function textOf(content: Delta["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => TextPart.safeParse(part).data?.text ?? "").join("");
}

/** A fragment continues the call with its index; a new id, or no index at all, begins another. */
function partsFor(
  calls: CallParts[],
  fragment: NonNullable<Delta["tool_calls"]>[number],
): CallParts {
  const index = fragment.index ?? null;
  const id = fragment.id ?? "";
  const open = index === null ? calls.at(-1) : calls.findLast((call) => call.index === index);
  if (open !== undefined && (id === "" || id === open.id)) return open;
  const begun = { index, id, name: "", json: "" };
  calls.push(begun);
  return begun;
}

function addCalls(calls: CallParts[], fragments: NonNullable<Delta["tool_calls"]>): void {
  for (const fragment of fragments) {
    const call = partsFor(calls, fragment);
    const { name, arguments: given } = fragment.function ?? {};
    if (call.name === "") call.name = name ?? "";
    call.json += typeof given === "string" ? given : given ? JSON.stringify(given) : "";
  }
}

function addReasoning(reasoning: Record<string, unknown>, delta: Delta): void {
  for (const field of ["reasoning_content", "reasoning"] as const) {
    if (delta[field]) reasoning[field] = `${reasoning[field] ?? ""}${delta[field]}`;
  }
  const details = delta.reasoning_details;
  if (details) {
    const before = (reasoning["reasoning_details"] as unknown[] | undefined) ?? [];
    reasoning["reasoning_details"] = [...before, ...details];
  }
}

function addChunk(received: Received, chunk: Chunk): void {
  received.model = chunk.model ?? received.model;
  received.usage = chunk.usage ?? received.usage;
  const choice = chunk.choices?.[0];
  const delta = choice?.delta ?? choice?.message;
  received.finish = choice?.finish_reason || received.finish;
  if (!delta) return;
  received.content += textOf(delta.content);
  received.refusal += delta.refusal ?? "";
  addReasoning(received.reasoning, delta);
  addCalls(received.calls, delta.tool_calls ?? []);
}

function usageOf(usage: UsageFields): Usage {
  const details = usage.prompt_tokens_details;
  return {
    input: usage.prompt_tokens ?? 0,
    cached: details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0,
    cacheWritten: details?.cache_write_tokens ?? usage.cache_creation_input_tokens ?? 0,
    output: usage.completion_tokens ?? 0,
  };
}

/** For a server that sends none: four characters a token, so that limits still see growth. */
function estimatedUsage(request: ModelRequest, received: Received): Usage {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  const said = [received.content, received.reasoning, received.calls];
  return { input: tokens(request.messages), cached: 0, cacheWritten: 0, output: tokens(said) };
}

function stopOf({ finish, refusal }: Received, calls: number): StopReason {
  if (finish === "length") return "length";
  if (finish === "content_filter" || (refusal !== "" && calls === 0)) return "refusal";
  return calls > 0 ? "calls" : "end";
}

/** Servers leave ids out or use them again; pairing wants one per call of the conversation. */
function idFor(id: string, at: number, request: ModelRequest, taken: Set<string>): string {
  const turn = request.messages.filter(({ role }) => role === "assistant").length + 1;
  const unique = id === "" || taken.has(id) ? `call_${turn}_${at + 1}` : id;
  taken.add(unique);
  return unique;
}

function callsOf(
  parts: readonly CallParts[],
  request: ModelRequest,
  cutShort: boolean,
): ToolCall[] {
  const taken = new Set(
    request.messages.flatMap((message) =>
      message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
    ),
  );
  return parts.map(({ id, name, json }, at) => {
    const { input, malformed } = readArguments(json);
    const call = { id: idFor(id, at, request, taken), name, input };
    if (cutShort && at === parts.length - 1) return { ...call, cut: true };
    return malformed === undefined ? call : { ...call, malformed };
  });
}

/** A reply without calls that spells one out as text, as if the server had read it itself. */
function withTextCall(received: Received, request: ModelRequest): Received {
  if (received.calls.length > 0) return received;
  const tools = request.tools.map(({ name }) => name);
  const found = readTextCall(received.content, tools);
  if (found === null) return received;
  const call = { index: 0, id: "", name: found.name, json: found.rawArguments };
  return { ...received, content: found.prose, calls: [call] };
}

function replyOf(received: Received, request: ModelRequest): ModelReply {
  const calls = callsOf(received.calls, request, received.finish === "length");
  const { usage, reasoning, refusal, content } = received;
  return {
    message: {
      role: "assistant",
      content: content === "" ? refusal : content,
      calls,
      ...(Object.keys(reasoning).length > 0
        ? { native: { provider: "openai", blocks: [reasoning] } }
        : {}),
    },
    usage: usage ? usageOf(usage) : estimatedUsage(request, received),
    stop: stopOf(received, calls.length),
    model: received.model,
  };
}

/** Ends that are the server's fault: DeepSeek out of resources, OpenRouter's upstream failing. */
const brokenEnds = new Set(["insufficient_system_resource", "error"]);

/**
 * Reads a whole reply from its chunks (one, if it was not streamed). What breaks once the server has
 * said why it stopped takes nothing from the reply, which is paid for.
 * @throws BrokenReply when they end before that; whatever they fail with before that.
 */
export async function readReply(
  chunks: AsyncIterable<Chunk>,
  request: ModelRequest,
  { textCalls }: { readonly textCalls: boolean },
): Promise<ModelReply> {
  const received: Received = {
    model: "",
    content: "",
    refusal: "",
    reasoning: {},
    calls: [],
    finish: null,
    usage: null,
  };
  try {
    for await (const chunk of chunks) addChunk(received, chunk);
  } catch (error) {
    if (received.finish === null) throw error;
  }
  if (received.finish === null)
    throw new BrokenReply("the stream ended before the reply was whole");
  if (brokenEnds.has(received.finish)) throw new BrokenReply(`finish_reason ${received.finish}`);
  return replyOf(textCalls ? withTextCall(received, request) : received, request);
}
