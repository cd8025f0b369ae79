import { PmcoderError } from "../domain/errors.ts";
import type { Message } from "../domain/message.ts";
import type { Model, ModelRequest, Purpose } from "../domain/model.ts";

/** Our choice: four characters a token, the usual figure for English and code. */
function estimate(messages: readonly Message[]): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}

/** What a reply has counted, beside what would have been estimated for the same messages. */
interface Known {
  readonly messages: number;
  readonly tokens: number;
  readonly estimated: number;
}

/**
 * `model`, with a context window of `contextTokens` kept from here, for servers that drop the
 * oldest messages in silence instead of refusing. The last reply's usage counts what it covers;
 * what came since, and what was shortened since, is estimated.
 */
export function withContextLimit(model: Model, contextTokens: number): Model {
  const known = new Map<Purpose, Known>();

  const tokensOf = ({ purpose, messages }: ModelRequest): number => {
    const before = known.get(purpose);
    if (before === undefined || before.messages > messages.length) return estimate(messages);
    return before.tokens + estimate(messages) - before.estimated;
  };

  return {
    ...model,
    complete: async (request, call) => {
      const tokens = tokensOf(request);
      if (tokens > contextTokens) {
        const message = `The prompt no longer fits: about ${tokens} tokens, and model.contextTokens allows ${contextTokens}.`;
        throw new PmcoderError("context_exhausted", message);
      }
      const reply = await model.complete(request, call);
      const { input, output } = reply.usage;
      const covered = [...request.messages, reply.message];
      known.set(request.purpose, {
        messages: covered.length,
        tokens: input + output,
        estimated: estimate(covered),
      });
      return reply;
    },
  };
}
