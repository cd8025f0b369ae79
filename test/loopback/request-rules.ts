import type { IncomingHttpHeaders } from "node:http";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is wrong with the newest request, given those before it; empty when nothing is. */
export type Rules = (received: readonly Received[]) => readonly string[];

/** A turn of a conversation in the terms of every API: who spoke, what it calls, what it answers. */
export interface Turn {
  readonly role: string;
  readonly calls: readonly string[];
  readonly answers: readonly string[];
}

const list = (ids: readonly string[]) => (ids.length === 0 ? "nothing" : ids.join(", "));

/** Each call is answered exactly once, in order, directly after the turn that made it. */
export function pairingViolations(turns: readonly Turn[]): readonly string[] {
  const found: string[] = [];
  const known = new Set<string>();
  for (const [at, { calls }] of turns.entries()) {
    const given = turns[at + 1]?.answers ?? [];
    if (JSON.stringify(given) !== JSON.stringify(calls)) {
      found.push(`message ${at} calls ${list(calls)}, and what follows answers ${list(given)}`);
    }
    for (const id of calls) {
      if (known.has(id)) found.push(`message ${at} uses the id ${id} again`);
      known.add(id);
    }
  }
  const [first] = turns;
  if (first && first.answers.length > 0) found.push(`message 0 answers ${list(first.answers)}`);
  return found;
}

/** A conversation opens with the user, and it is the model's turn to speak. */
export function openingViolations(turns: readonly Turn[]): readonly string[] {
  const [first, last] = [turns[0]?.role, turns.at(-1)?.role];
  return [
    ...(first === "user" ? [] : [`message 0 is of ${first ?? "nobody"}, and not of the user`]),
    ...(last === "assistant" ? ["the last message is the model's own"] : []),
  ];
}

/** What a request says in order, the part that a prompt cache is keyed by: no marks, no options. */
export type Spoken = (received: Received) => readonly unknown[];

/** Questions of one purpose have the same tools, and go on from one another. */
function samePurpose(received: readonly Received[]): readonly Received[] {
  const purpose = ({ body }: Received) => JSON.stringify(body["tools"] ?? null);
  const newest = received.at(-1);
  return received.filter((one) => newest !== undefined && purpose(one) === purpose(newest));
}

/** Whatever the request before said, this one says again, unchanged, before anything new. */
export function prefixViolations(received: readonly Received[], spoken: Spoken): readonly string[] {
  const [before, now] = samePurpose(received).slice(-2).map(spoken);
  if (before === undefined || now === undefined) return [];
  const changed = before.findIndex((said, at) => JSON.stringify(said) !== JSON.stringify(now[at]));
  if (changed === -1) return [];
  const [was, is] = [before[changed], now[changed]].map((said) => excerpt(said));
  return [`part ${changed} of the request before is changed: it was ${was} and is ${is}`];
}

function excerpt(said: unknown): string {
  const text = JSON.stringify(said) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** What both APIs want of a request, whatever it says. */
export function envelopeViolations({ path, headers, body }: Received, expected: string) {
  const limit = body["max_tokens"] ?? body["max_completion_tokens"];
  return [
    ...(path === expected ? [] : [`the path is ${path} and not ${expected}`]),
    ...(headers["authorization"]?.startsWith("Bearer ") ? [] : ["it carries no key"]),
    ...(typeof body["model"] === "string" && body["model"] !== "" ? [] : ["it names no model"]),
    ...(Number.isInteger(limit) && Number(limit) > 0 ? [] : [`it allows ${limit} tokens`]),
  ];
}
