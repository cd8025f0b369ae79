import { openaiServer, reply } from "../loopback/openai-server.ts";
import type { Received } from "../loopback/request-rules.ts";
import type { Answer, Loopback } from "../loopback/server.ts";
import { plan } from "../patient-model.ts";
import { nextTurn, type Spoken } from "../patient-script.ts";
import type { Scripted } from "../scripted-model.ts";

interface ChatMessage {
  readonly role: Spoken["role"];
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** The messages of a request to a chat-completions server. */
const messagesOf = ({ body }: Received) => body["messages"] as readonly ChatMessage[];

/** How many turns a request knows of. */
export const turnsIn = (request: Received): number =>
  messagesOf(request).filter(({ role }) => role === "assistant").length;

/** A question that is not about the next turn. */
export const isPlan = ({ body }: Received): boolean => body["tools"] === undefined;

function spoken({ role, content, tool_calls = [], tool_call_id: callId }: ChatMessage): Spoken {
  const calls = tool_calls.map(({ id, function: { arguments: given } }) => ({
    id,
    command: String(JSON.parse(given).command),
  }));
  return { role, content: content ?? "", calls, ...(callId === undefined ? {} : { callId }) };
}

export interface PatientServer extends Loopback {
  /** Replies that went out whole. */
  paid(): number;
}

export interface PatientOptions {
  /** Milliseconds before each reply. */
  readonly delay: () => number;
  /** A request need not go on from the one before. */
  readonly forgetful: boolean;
}

/** A chat-completions server whose model keeps to a script through interruptions. */
export async function patientServer(
  script: readonly Scripted[],
  { delay, forgetful }: PatientOptions,
): Promise<PatientServer> {
  let paid = 0;
  const respond = (request: Received): Answer => {
    const turn = turnsIn(request) + 1;
    const next = isPlan(request) ? null : nextTurn(script, messagesOf(request).map(spoken));
    const answer = next === null ? reply({ content: plan }) : reply(replyOf(next, turn));
    return (response) => {
      response.once("finish", () => {
        paid += 1;
      });
      setTimeout(() => answer(response), delay());
    };
  };
  const server = await openaiServer({ respond, forgetful });
  return { ...server, paid: () => paid };
}

function replyOf(next: Scripted | undefined, turn: number) {
  if (typeof next !== "string" && !Array.isArray(next)) return { content: "I forgot what to do." };
  const commands = [next].flat() as readonly string[];
  return {
    content: `Turn ${turn}.`,
    calls: commands.map((command, at) => ({
      id: `call-${turn}-${at + 1}`,
      name: "bash",
      arguments: JSON.stringify({ command }),
    })),
    finish: "tool_calls",
  };
}
