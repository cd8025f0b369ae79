import { connect, createServer } from "node:net";
import { type OpenaiReply, reply, wholeReply } from "../../loopback/openai-server.ts";
import type { Received } from "../../loopback/request-rules.ts";
import { type Answer, type Loopback, serve } from "../../loopback/server.ts";

/** What the model does next, in no host's own words. */
type Act =
  | { readonly does: "run"; readonly command: string }
  | { readonly does: "read"; readonly file: string }
  | {
      readonly does: "edit";
      readonly file: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly does: "submit" };

/** A call as a host's model makes it. */
interface HostCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A turn: what is said, and what is done. */
export interface PlayedTurn {
  readonly says: string;
  readonly acts: readonly Act[];
}

/** How a host's tools are called, `file` being relative to the repository; null: by calling none. */
export type Vocabulary = (act: Act) => HostCall | null;

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly unknown[];
}

export const messagesOf = ({ body }: Received) => body["messages"] as readonly Message[];

/** The text of a message, whose content may be one, or a list of parts. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
  return parts.map(({ text }) => text ?? "").join("\n");
}

/** Requests of the conversation; hosts ask beside it for titles and the like, without tools. */
export const turnsOf = (received: readonly Received[]) =>
  received.filter(({ body }) => Array.isArray(body["tools"]) && body["tools"].length > 0);

/**
 * A server of chat completions that plays an episode in a host's vocabulary: the number of replies
 * in a request is the number of the turn. Every request is kept.
 */
export function playedModel(
  turns: readonly PlayedTurn[],
  vocabulary: Vocabulary,
): Promise<Loopback> {
  return serve(
    () => [],
    (received) => answerTo(received, turns, vocabulary),
  );
}

function answerTo(
  received: Received,
  turns: readonly PlayedTurn[],
  vocabulary: Vocabulary,
): Answer {
  const said = turnsOf([received]).length === 0 ? { content: "A title" } : null;
  const at = messagesOf(received).filter(({ role }) => role === "assistant").length;
  const of =
    said ?? spoken(turns[at] ?? { says: "There is nothing more to do.", acts: [] }, at, vocabulary);
  return received.body["stream"] === true ? reply(of) : wholeReply(of);
}

function spoken({ says, acts }: PlayedTurn, at: number, vocabulary: Vocabulary): OpenaiReply {
  const calls = acts.flatMap((act, n) => {
    const call = vocabulary(act);
    const id = `call_${at}_${n}`;
    return call ? [{ id, name: call.name, arguments: JSON.stringify(call.arguments) }] : [];
  });
  return { content: says, calls, finish: calls.length > 0 ? "tool_calls" : "stop" };
}

/** The way to a server for those who cannot reach this machine's network: a socket, until closed. */
export function bridge(server: Loopback, socket: string): Promise<() => void> {
  const port = Number(new URL(server.url).port);
  const way = createServer((inside) => {
    const outside = connect(port, "127.0.0.1");
    inside.pipe(outside).pipe(inside);
    for (const end of [inside, outside]) end.on("error", () => {});
  });
  return new Promise((resolve) => way.listen(socket, () => resolve(() => void way.close())));
}
