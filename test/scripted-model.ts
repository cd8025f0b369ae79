import { PmcoderError } from "../src/domain/errors.ts";
import type { AssistantMessage } from "../src/domain/message.ts";
import { free, type Model, type ModelReply, type ModelRequest } from "../src/domain/model.ts";

/** A reply as tests write it: the commands of one turn, or a whole reply where that matters. */
export type Scripted = string | readonly string[] | Partial<ModelReply>;

const usage = { input: 1000, cached: 0, cacheWritten: 0, output: 100 };

/** The reply of the turn with this number, which its ids tell apart. */
export function replyOf(scripted: Scripted, turn: number): ModelReply {
  const base = { usage, stop: "calls", model: "scripted" } as const;
  if (typeof scripted !== "string" && !Array.isArray(scripted)) {
    const said = { role: "assistant", content: "", calls: [] } as const;
    return { ...base, message: said, stop: "end", ...(scripted as Partial<ModelReply>) };
  }
  const commands = typeof scripted === "string" ? [scripted] : (scripted as readonly string[]);
  const message: AssistantMessage = {
    role: "assistant",
    content: `turn ${turn}`,
    calls: commands.map((command, index) => ({
      id: `call-${turn}-${index + 1}`,
      name: "bash",
      input: { command },
    })),
  };
  return { ...base, message };
}

export interface ScriptedModel extends Model {
  /** Every request as it came, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** A model that answers with a script, in order, and keeps what it was asked. */
export function scriptedModel(
  script: readonly Scripted[],
  price: Model["price"] = free,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: "scripted:test",
    price,
    requests,
    complete: async (request, { signal }) => {
      if (signal.aborted) throw new PmcoderError("interrupted", "aborted");
      requests.push(structuredClone(request) as ModelRequest);
      const scripted = script[requests.length - 1];
      if (scripted === undefined) throw new PmcoderError("model_unavailable", "script ran out");
      return replyOf(scripted, requests.length);
    },
  };
}
