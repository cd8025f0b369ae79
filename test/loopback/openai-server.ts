import { openaiRules } from "./openai-rules.ts";
import {
  type Answer,
  type End,
  events,
  json,
  type Loopback,
  type Respond,
  serve,
} from "./server.ts";

type Message = Readonly<Record<string, unknown>>;

interface ServerOptions {
  /** For an adapter that has a reason to change what was said. */
  readonly forgetful?: boolean;
  readonly respond?: Respond;
}

export function openaiServer({ forgetful, respond }: ServerOptions = {}): Promise<Loopback> {
  return serve((received) => openaiRules(forgetful ? received.slice(-1) : received), respond);
}

interface OpenaiCall {
  readonly id?: string;
  readonly name: string;
  /** As the model wrote them, which may be anything. */
  readonly arguments: string;
}

export interface OpenaiReply {
  readonly content?: string | null;
  readonly calls?: readonly OpenaiCall[];
  readonly finish?: string;
  /** Further fields of the message, such as reasoning. */
  readonly fields?: Message;
  /** null: the server sends none. */
  readonly usage?: Message | null;
}

const usage = {
  prompt_tokens: 2400,
  completion_tokens: 40,
  prompt_tokens_details: { cached_tokens: 2000 },
};

function line(fields: object): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", model: "loopback-1" };
  return `data: ${JSON.stringify({ ...head, ...fields })}`;
}

function delta(fields: object, finish: string | null = null): string {
  return line({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
}

function fragments(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

function callLines(call: OpenaiCall, index: number): string[] {
  const begin = {
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: "" },
  };
  return [
    delta({ tool_calls: [begin] }),
    ...fragments(call.arguments).map((fragment) =>
      delta({ tool_calls: [{ index, function: { arguments: fragment } }] }),
    ),
  ];
}

/** A reply as events: the last three say why it stopped, what it used (if that is sent), and end it. */
export function linesOf(of: OpenaiReply): string[] {
  const { content = "", calls = [], finish = "stop", fields } = of;
  const sent = of.usage === undefined ? usage : of.usage;
  return [
    delta({ role: "assistant", content: "" }),
    ...(fields ? [delta(fields)] : []),
    ...fragments(content ?? "").map((fragment) => delta({ content: fragment })),
    ...calls.flatMap(callLines),
    delta({}, finish),
    ...(sent === null ? [] : [line({ choices: [], usage: sent })]),
    "data: [DONE]",
  ];
}

export function reply(of: OpenaiReply): Answer {
  return events(linesOf(of));
}

/** The first `count` events of a reply, and then `end`. */
export function partOf(of: OpenaiReply, count: number, end: End): Answer {
  return events(linesOf(of).slice(0, count), end);
}

/** The first `count` events of a reply, and then lines of any kind. */
export function brokenBy(of: OpenaiReply, count: number, ...lines: string[]): Answer {
  return events([...linesOf(of).slice(0, count), ...lines]);
}

/** The reply as one JSON value, from a server that does not stream. */
export function wholeReply(of: OpenaiReply): Answer {
  const { content = "", calls = [], finish = "stop", fields } = of;
  const toolCalls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
  const message = { role: "assistant", content, ...fields, tool_calls: toolCalls };
  const choices = [{ index: 0, message, finish_reason: finish }];
  return json(200, {
    object: "chat.completion",
    model: "loopback-1",
    choices,
    usage: of.usage ?? usage,
  });
}

export function failure(
  status: number,
  error: { readonly message: string; readonly code?: string | number; readonly type?: string },
  headers: Record<string, string> = {},
): Answer {
  return json(status, { error }, headers);
}
