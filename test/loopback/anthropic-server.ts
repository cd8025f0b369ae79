import {
  type Answer,
  type End,
  events,
  json,
  type Loopback,
  prefixViolations,
  type Received,
  serve,
} from "./server.ts";

type Block = Readonly<Record<string, unknown>>;
interface Turn {
  readonly role: string;
  readonly content: readonly Block[];
}

function withoutMark({ cache_control: _, ...block }: Block): Block {
  return block;
}

function marksOf(blocks: readonly Block[]): number {
  return blocks.filter((block) => "cache_control" in block).length;
}

function turnsOf({ body }: Received): readonly Turn[] {
  return body["messages"] as readonly Turn[];
}

function isBlankText({ type, text }: Block): boolean {
  return type === "text" && String(text).trim() === "";
}

function textViolations(turn: Turn, at: number): string[] {
  const blank = turn.content.some(isBlankText) || turn.content.length === 0;
  const empty = turn.content.some(
    ({ type, content }) => type === "tool_result" && String(content ?? "").trim() === "",
  );
  return blank || empty ? [`message ${at} holds an empty block`] : [];
}

/** Each tool_use is answered by one tool_result, in order, first thing in the next user message. */
function pairingViolations(turns: readonly Turn[], at: number): string[] {
  const turn = turns[at];
  if (turn?.role !== "assistant") return [];
  const uses = turn.content.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
  const next = turns[at + 1]?.content ?? [];
  const answers = next.map(({ type, tool_use_id: id }) => (type === "tool_result" ? id : null));
  const first = answers.slice(0, uses.length);
  const found: string[] = [];
  if (JSON.stringify(first) !== JSON.stringify(uses)) found.push(`message ${at}: unpaired calls`);
  if (answers.slice(uses.length).some((id) => id !== null)) found.push("a result without a call");
  const tail = turn.content.slice(turn.content.findIndex(({ type }) => type === "tool_use"));
  if (uses.length > 0 && tail.some(({ type }) => type !== "tool_use")) {
    found.push(`message ${at}: a block follows tool_use`);
  }
  if (/thinking$/.test(String(turn.content.at(-1)?.["type"]))) {
    found.push(`message ${at} ends with thinking`);
  }
  return found;
}

function markViolations({ body }: Received, turns: readonly Turn[]): string[] {
  const lists = [body["system"], body["tools"], ...turns.map(({ content }) => content)];
  const marks = lists.map((list) => marksOf((list as Block[] | undefined) ?? []));
  const total = marks.reduce((sum, count) => sum + count, 0);
  return total > 4 ? [`${total} cache marks, and the API takes four`] : [];
}

function roleViolations(turns: readonly Turn[]): string[] {
  const wrong = turns.findIndex(({ role }, at) => role !== (at % 2 === 0 ? "user" : "assistant"));
  return wrong === -1 ? [] : [`message ${wrong} has the wrong role`];
}

/** What the Messages API refuses, as far as an agent's conversation can run into it. */
function rules(received: readonly Received[]): string[] {
  const newest = received.at(-1);
  if (newest === undefined) return [];
  const turns = turnsOf(newest);
  const bare = received.map((request) =>
    turnsOf(request).map(({ role, content }) => ({ role, content: content.map(withoutMark) })),
  );
  return [
    ...(newest.path === "/v1/messages" ? [] : [`path ${newest.path}`]),
    ...(newest.headers["authorization"]?.startsWith("Bearer ") ? [] : ["no key"]),
    ...roleViolations(turns),
    ...turns.flatMap(textViolations),
    ...turns.flatMap((_, at) => pairingViolations(turns, at)),
    ...markViolations(newest, turns),
    ...prefixViolations(bare),
  ];
}

/** `forgetful`: for an adapter that has a reason to change what was said. */
export function anthropicServer({ forgetful = false } = {}): Promise<Loopback> {
  return serve((received) => rules(forgetful ? received.slice(-1) : received));
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

function linesOf({ blocks, stop = "end_turn", usage: final }: AnthropicReply): string[] {
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

/** The first `count` events of a reply, and then an error event, all with HTTP status 200. */
export function brokenBy(of: AnthropicReply, count: number, type: string, message: string): Answer {
  const error = `event: error\ndata: ${JSON.stringify(errorBody(type, message))}`;
  return events([...linesOf(of).slice(0, count), error]);
}

export function failure(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  return json(status, errorBody(type, message), headers);
}
