import {
  envelopeViolations,
  openingViolations,
  pairingViolations,
  prefixViolations,
  type Received,
  type Turn,
} from "./request-rules.ts";

type Block = Readonly<Record<string, unknown>>;
interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

const messagesOf = ({ body }: Received) => body["messages"] as readonly Message[];
const systemOf = ({ body }: Received) => (body["system"] ?? []) as readonly Block[];

const isBlank = (text: unknown) => String(text ?? "").trim() === "";

function turnOf({ role, content }: Message): Turn {
  const ids = (type: string, field: string) =>
    content.filter((block) => block["type"] === type).map((block) => String(block[field]));
  return { role, calls: ids("tool_use", "id"), answers: ids("tool_result", "tool_use_id") };
}

/** The API refuses a text without a letter, also inside a tool result. */
function isEmpty({ type, text, content }: Block): boolean {
  if (type === "text") return isBlank(text);
  return type === "tool_result" && isBlank(content);
}

/** Results stand before anything else of their message, and calls after. */
function orderViolations({ content }: Message, at: number): readonly string[] {
  const types = content.map(({ type }) => String(type));
  const lastResult = types.lastIndexOf("tool_result");
  const firstCall = types.indexOf("tool_use");
  const before = types.slice(0, lastResult + 1).find((type) => type !== "tool_result");
  const after = types.slice(Math.max(firstCall, 0)).find((type) => type !== "tool_use");
  return [
    ...(lastResult !== -1 && before ? [`message ${at}: ${before} stands before a result`] : []),
    ...(firstCall !== -1 && after ? [`message ${at}: ${after} stands after a call`] : []),
    ...(/thinking$/.test(types.at(-1) ?? "") ? [`message ${at} ends with thinking`] : []),
  ];
}

function messageViolations(message: Message, at: number): readonly string[] {
  const role = at % 2 === 0 ? "user" : "assistant";
  const isIdInvalid = message.content.some(
    ({ id }) => id !== undefined && !/^[\w-]+$/.test(`${id}`),
  );
  return [
    ...(message.role === role ? [] : [`message ${at} is of ${message.role}, and not of ${role}`]),
    ...(message.content.length === 0 ? [`message ${at} is empty`] : []),
    ...(message.content.some(isEmpty) ? [`message ${at} holds an empty text`] : []),
    ...(isIdInvalid ? [`message ${at}: an id holds a character that is refused`] : []),
    ...orderViolations(message, at),
  ];
}

function markViolations(received: Received): readonly string[] {
  const tools = (received.body["tools"] ?? []) as readonly Block[];
  const blocks = [systemOf(received), tools, messagesOf(received).flatMap((one) => one.content)];
  const marks = blocks.flat().filter((block) => "cache_control" in block).length;
  return marks > 4 ? [`it holds ${marks} cache marks, and the API takes four`] : [];
}

function withoutMark({ cache_control: _, ...block }: Block): Block {
  return block;
}

/** The system prompt and the messages, without cache marks. */
function spoken(received: Received): readonly unknown[] {
  const messages = messagesOf(received).map(({ role, content }) => ({
    role,
    content: content.map(withoutMark),
  }));
  return [systemOf(received).map(withoutMark), ...messages];
}

/** What the Messages API refuses, as far as an agent's conversation can run into it. */
export function anthropicRules(received: readonly Received[]): readonly string[] {
  const newest = received.at(-1);
  if (newest === undefined) return [];
  const messages = messagesOf(newest);
  const turns = messages.map(turnOf);
  return [
    ...envelopeViolations(newest, "/v1/messages"),
    ...(systemOf(newest).some(isEmpty) ? ["the system prompt is empty"] : []),
    ...openingViolations(turns),
    ...messages.flatMap(messageViolations),
    ...pairingViolations(turns),
    ...markViolations(newest),
    ...prefixViolations(received, spoken),
  ];
}
