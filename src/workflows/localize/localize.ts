import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
  ToolSchema,
} from "../../domain/message.ts";
import { costOf, type Model, type Retry } from "../../domain/model.ts";
import { answer, isMemoryTool, type RepoMemory } from "../../experience/repomem/answers.ts";
import { memoryTools } from "../../experience/repomem/tools.ts";
import { answerFromCode, type Code, codeTools, isCodeTool } from "./code-tools.ts";
import { type Location, parseLocations } from "./parse-locations.ts";
import { askAgain, beginning, lastCall, system } from "./prompts.ts";

export interface LocalizeParts {
  readonly model: Model;
  readonly memory: RepoMemory;
  readonly code: Code;
  readonly issue: string;
  /** Model calls, the answer included. */
  readonly steps: number;
  /** US dollars after which only the answer is asked for. */
  readonly costLimit: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** Told of each tool call as it is answered, and of each retry. */
  readonly tell: (line: string) => void;
}

export interface Localized {
  /** In the agent's order, the most likely first; empty: it named no file that is there. */
  readonly locations: readonly Location[];
  readonly calls: number;
  /** null: the price is not known. */
  readonly costUsd: number | null;
  /** The first answer named no file, and it was asked once more. */
  readonly askedAgain: boolean;
}

/**
 * An agent that reads the repository's history and code until it can say where the issue has to be
 * solved (arXiv:2510.01003). It changes nothing and runs nothing. Rejects as the model does.
 */
export async function localize(parts: LocalizeParts): Promise<Localized> {
  const names = offered(parts.memory).map(({ name }) => name);
  const messages: Message[] = [
    { role: "system", content: system },
    { role: "user", content: beginning(parts.issue, names) },
  ];
  const bill: Bill = { calls: 0, costUsd: 0 };
  const read = async () => parseLocations(await converse(parts, messages, bill), parts.code.files);
  const locations = await read();
  if (locations.length > 0 || isSpent(parts, bill)) {
    return { locations, ...bill, askedAgain: false };
  }
  messages.push({ role: "user", content: askAgain });
  return { locations: await read(), ...bill, askedAgain: true };
}

const isSpent = ({ steps, costLimit }: LocalizeParts, { calls, costUsd }: Bill) =>
  calls >= steps || (costUsd ?? 0) >= costLimit;

/** The model's next words without a tool call; calls before it are answered. */
async function converse(parts: LocalizeParts, messages: Message[], bill: Bill): Promise<string> {
  for (;;) {
    const isLast = isSpent({ ...parts, steps: parts.steps - 1 }, bill);
    if (isLast) messages.push({ role: "user", content: lastCall });
    const { content, calls } = await ask(parts, messages, bill, isLast);
    if (calls.length === 0 || isLast) return content;
    for (const call of calls) messages.push(await answerCall(parts, call));
  }
}

/** What was spent so far. */
interface Bill {
  calls: number;
  costUsd: number | null;
}

/** Tools of a memory that there is not are not offered. */
function offered(memory: RepoMemory): readonly ToolSchema[] {
  return memoryTools(memory).filter(
    ({ name }) => (name.endsWith("Commit") ? memory.commits : memory.summaries) !== null,
  );
}

/** Adds the reply to the conversation and to the bill. */
async function ask(
  { model, memory, maxOutputTokens, signal, tell }: LocalizeParts,
  messages: Message[],
  bill: Bill,
  isLast: boolean,
): Promise<AssistantMessage> {
  const tools = [...offered(memory), ...codeTools];
  const request = {
    purpose: "locate",
    messages: [...messages],
    tools: isLast ? [] : tools,
    maxOutputTokens,
    ordinal: bill.calls,
  } as const;
  const onRetry = ({ reason }: Retry) => tell(`again: ${reason}`);
  const { message, usage } = await model.complete(request, { signal, onRetry });
  const cost = model.price && costOf(usage, model.price);
  bill.calls += 1;
  bill.costUsd = bill.costUsd === null || cost === null ? null : bill.costUsd + cost;
  messages.push(message);
  return message;
}

async function answerCall(
  { memory, code, tell }: LocalizeParts,
  { id, name, input, malformed, cut }: ToolCall,
): Promise<ToolMessage> {
  const refusal = cut ? "The call was cut at the output limit." : malformed;
  tell(`${name} ${JSON.stringify(input)}`);
  if (refusal !== undefined) return { role: "tool", callId: id, content: refusal, isError: true };
  if (isMemoryTool(name)) return said(id, await answer(memory, name, input));
  if (isCodeTool(name)) return said(id, await answerFromCode(code, name, input));
  return { role: "tool", callId: id, content: `There is no tool ${name}.`, isError: true };
}

const said = (callId: string, content: string): ToolMessage => ({ role: "tool", callId, content });
