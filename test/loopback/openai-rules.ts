import {
  envelopeViolations,
  openingViolations,
  pairingViolations,
  prefixViolations,
  type Received,
  type Turn,
} from "./request-rules.ts";

type Message = Readonly<Record<string, unknown>>;

const messagesOf = ({ body }: Received) => body["messages"] as readonly Message[];
const callsOf = (message: Message) => (message["tool_calls"] ?? []) as readonly Message[];
const isBlank = (text: unknown) => String(text ?? "").trim() === "";

/** Tool messages in a row are one turn, as what answers the calls of one message. */
function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = String(message["role"]);
    const answer = role === "tool" ? [String(message["tool_call_id"])] : [];
    const last = turns.at(-1);
    if (role === "tool" && last?.role === "tool") {
      turns.splice(-1, 1, { ...last, answers: [...last.answers, ...answer] });
    } else
      turns.push({ role, calls: callsOf(message).map(({ id }) => String(id)), answers: answer });
  }
  return turns;
}

function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const roles: readonly unknown[] = ["system", "user", "assistant", "tool"];

function messageViolations(message: Message, at: number): readonly string[] {
  const { role, content } = message;
  const calls = callsOf(message);
  const given = calls.map((call) => (call["function"] as Message)["arguments"]);
  return [
    ...(roles.includes(role) ? [] : [`message ${at} is of ${role}`]),
    ...(role === "system" && at > 0 ? [`message ${at} is a system prompt`] : []),
    ...(isBlank(content) && calls.length === 0 ? [`message ${at} is empty`] : []),
    ...(typeof content === "string" && isBlank(content)
      ? [`message ${at} holds an empty text`]
      : []),
    ...(calls.length === 0 && "tool_calls" in message ? [`message ${at}: a list of no calls`] : []),
    ...(given.every(isObjectText) ? [] : [`message ${at}: arguments are no JSON object`]),
  ];
}

/** What chat-completions servers refuse, as far as an agent's conversation can run into it. */
export function openaiRules(received: readonly Received[]): readonly string[] {
  const newest = received.at(-1);
  if (newest === undefined) return [];
  const messages = messagesOf(newest);
  const spoken = messages[0]?.["role"] === "system" ? messages.slice(1) : messages;
  return [
    ...envelopeViolations(newest, "/v1/chat/completions"),
    ...messages.flatMap(messageViolations),
    ...openingViolations(turnsOf(spoken)),
    ...pairingViolations(turnsOf(messages)),
    ...prefixViolations(received, messagesOf),
  ];
}
