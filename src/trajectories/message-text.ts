import { z } from "zod";

const Part = z.union([
  z.string(),
  z.looseObject({ text: z.string() }).transform(({ text }) => text),
]);

/** A message's content in any provider's shape (text, null, a list of parts) as plain text. */
export const MessageText = z
  .union([z.string(), z.array(Part.catch("")).transform((parts) => parts.join(""))])
  .catch("");

/** A string, or null for anything else. */
export const TextOrNull = z.string().nullable().catch(null);

export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** The object that a text or value holds, or null. */
export function objectOf(value: unknown): JsonObject | null {
  return JsonObject.safeParse(value).data ?? null;
}
