import { PmcoderError } from "../../src/domain/errors.ts";
import { free, type Model, type ModelRequest, type Purpose } from "../../src/domain/model.ts";

/** Replies in order, by why they are asked for. */
export type Replies = Partial<Record<Purpose, readonly string[]>>;

export interface PurposeModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A model that gives the reply of a request's purpose at its ordinal, and keeps what it was asked. */
export function replyingBy(replies: Replies, price: Model["price"] = free): PurposeModel {
  const requests: ModelRequest[] = [];
  return {
    name: "scripted:test",
    price,
    requests,
    complete: async (request, { signal }) => {
      if (signal.aborted) throw new PmcoderError("interrupted", "aborted");
      const content = replies[request.purpose]?.[request.ordinal ?? 0];
      if (content === undefined) {
        const which = `${request.purpose} ${request.ordinal}`;
        throw new PmcoderError("model_unavailable", `there is no reply for ${which}`);
      }
      requests.push(structuredClone(request) as ModelRequest);
      return {
        message: { role: "assistant", content, calls: [] },
        usage: { input: 100, cached: 0, cacheWritten: 0, output: 10 },
        stop: "end",
        model: "scripted",
      };
    },
  };
}
