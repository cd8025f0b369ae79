import type { z } from "zod";
import { repairJson } from "./json-repair.ts";

/** What a reply that should be one JSON object was read as, or what is wrong with it. */
export type ReadReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** Braces at which an object may begin that are tried: prose before it may hold some. Our choice. */
const candidates = 20;

/** Characters of a reply that are looked at; what is longer is no answer to a question of ours. */
const replyChars = 200_000;

/**
 * The JSON object in a model's reply that fits `schema`: the reply itself, the inside of its fence,
 * else what begins at one of its braces, each first as it stands and then repaired. Never throws.
 */
export function readJsonReply<T>(schema: z.ZodType<T>, reply: string): ReadReply<T> {
  const text = reply.slice(0, replyChars);
  let problem = "it holds no JSON object";
  for (const value of objectsIn(text)) {
    const read = schema.safeParse(value);
    if (read.success) return { ok: true, value: read.data };
    const [issue] = read.error.issues;
    const path = issue?.path.join(".") ?? "";
    problem = path === "" ? (issue?.message ?? "") : `${path}: ${issue?.message}`;
  }
  return { ok: false, problem };
}

function* objectsIn(text: string): Generator<unknown> {
  const bodies = [text, ...fenced(text)];
  for (const body of bodies) {
    const value = strict(body);
    if (value !== undefined) yield value;
  }
  for (const body of bodies.toReversed()) {
    let from = body.indexOf("{");
    for (let tried = 0; from !== -1 && tried < candidates; tried++) {
      yield repairJson(body.slice(from));
      from = body.indexOf("{", from + 1);
    }
  }
}

function strict(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The inside of the first fence; to the end where the reply was cut before the fence closed. */
function fenced(text: string): readonly string[] {
  const open = text.indexOf("```");
  if (open === -1) return [];
  const body = text.slice(text.indexOf("\n", open) + 1 || text.length);
  const close = body.lastIndexOf("```");
  return [close === -1 ? body : body.slice(0, close)];
}
