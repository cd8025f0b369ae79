import type { z } from "zod";
import { type ReadReply, readJsonReply } from "../domain/json-reply.ts";
import type { Message } from "../domain/message.ts";

/** Puts a conversation to a model and gives the text of its reply. */
export type Say = (messages: readonly Message[]) => Promise<string>;

/**
 * Asks until the reply holds a JSON object that fits, at most `tries` times. The model is shown
 * what was wrong with its last answer. Rejects as `say` does.
 */
export async function askUntilRead<T>(
  say: Say,
  opening: readonly Message[],
  schema: z.ZodType<T>,
  tries: number,
): Promise<ReadReply<T>> {
  let messages = opening;
  let problem = "it was not asked";
  for (let tried = 0; tried < tries; tried++) {
    const content = await say(messages);
    const read = readJsonReply(schema, content);
    if (read.ok) return read;
    problem = read.problem;
    messages = [
      ...opening,
      { role: "assistant", content, calls: [] },
      { role: "user", content: `Your answer could not be read: ${problem}. ${again}` },
    ];
  }
  return { ok: false, problem };
}

const again =
  "Answer again with exactly one JSON object of the shape asked for, and no other text.";
