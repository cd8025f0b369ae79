import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import { retryAfterSec, type Verdict } from "./retry.ts";

/** A reply that did not come whole: a broken connection, silence, bytes that are no reply. */
export class BrokenReply extends Error {
  override readonly name = "BrokenReply";
}

/** Whom a request goes to, as messages name it. */
export interface Endpoint {
  /** `provider:name`, as the user wrote it. */
  readonly name: string;
  readonly model: string;
  /** null: the provider's own. */
  readonly baseUrl: string | null;
  readonly key: string;
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
}

interface Failure {
  readonly status: number | null;
  readonly type: string;
  readonly message: string;
  readonly headers: Headers | null;
}

const Body = z.looseObject({
  message: z.string().optional(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
});

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** Both SDKs keep the server's error object in `error.error`, one of them a level deeper. */
function bodyOf(error: object): z.infer<typeof Body> {
  const outer = (error as { error?: unknown }).error;
  const inner = (outer as { error?: unknown } | undefined)?.error;
  return Body.safeParse(inner ?? outer).data ?? {};
}

function statusOf(error: object, code: unknown): number | null {
  const { status } = error as { status?: unknown };
  if (typeof status === "number") return status;
  const inBody = Number(code);
  return inBody >= 400 && inBody < 600 ? inBody : null;
}

/** A system error's own words, which do not always hold its code. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return !code || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/** What is wrong, in the server's words or else in those of the error that lies at the bottom. */
function failureOf(error: unknown): Failure {
  const fallback = wordsOf(rootOf(error));
  if (typeof error !== "object" || error === null) {
    return { status: null, type: "", message: fallback, headers: null };
  }
  const body = bodyOf(error);
  const { headers } = error as { headers?: unknown };
  return {
    status: statusOf(error, body.code),
    type: `${body.type ?? ""} ${body.code ?? ""}`,
    message: body.message ?? fallback,
    headers: headers instanceof Headers ? headers : null,
  };
}

/** The server's words on one line, cut, and without anything that looks like a key. */
function legible({ status, message }: Failure, key: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  const safe = (key === "" ? line : line.replaceAll(key, "[key]")).replace(
    /\bsk-[\w*.-]{4,}/g,
    "[key]",
  );
  const short = safe.length > 300 ? `${safe.slice(0, 299)}…` : safe;
  const bare = short.replace(new RegExp(`^${status} `), "");
  return status === null ? bare : `${status} ${bare}`;
}

/** A cause that would carry the key into a log is left out. */
function causeOf(error: unknown, key: string): ErrorOptions {
  const body = (error as { error?: unknown } | null)?.error;
  const text = `${error instanceof Error ? error.message : ""}${JSON.stringify(body) ?? ""}`;
  return key !== "" && text.includes(key) ? {} : { cause: error };
}

/**
 * Whether a server says that the prompt does not fit. There is no common code: these are the
 * phrases of Anthropic, OpenAI, DeepSeek, OpenRouter, vLLM, llama.cpp (also with status 500),
 * LM Studio, Mistral, Gemini and TGI.
 */
function isOverflow({ status, type, message }: Failure): boolean {
  if (status === 413 || /context_length_exceeded|exceed_context_size/.test(type)) return true;
  if (/request_too_large/.test(type)) return true;
  if (status !== null && ![400, 422, 500].includes(status)) return false;
  return [
    /prompt is too long/i,
    /exceeds? (?:the |its )?(?:available |maximum |max )?context/i,
    /context (?:size|length|window|limit) (?:has been |was |is )?exceeded/i,
    /maximum context length/i,
    /context the overflows|context overflow/i,
    /too large for model with \d+ maximum context/i,
    /input token count .*exceeds the maximum/i,
    /`inputs` tokens \+ `max_new_tokens` must be/i,
  ].some((phrase) => phrase.test(message));
}

const hopelessTypes =
  /insufficient_quota|invalid_request|authentication_error|permission_error|not_found_error|billing_error|BadRequest/;

/** What the server itself says of another try, in the header that both SDKs obey, or null. */
function saysRetry(headers: Headers | null): boolean | null {
  const said = headers?.get("x-should-retry");
  return said === "true" || said === "false" ? said === "true" : null;
}

function isHopeless({ status, type, headers }: Failure): boolean {
  if (/insufficient_quota/.test(type)) return true;
  const retry = saysRetry(headers);
  if (retry !== null) return !retry;
  if (status === null) return hopelessTypes.test(type);
  return status < 500 && ![408, 409, 429].includes(status);
}

function place({ baseUrl }: Endpoint): string {
  return baseUrl === null ? "" : ` at ${baseUrl}`;
}

function adviceOn(failure: Failure, endpoint: Endpoint): string {
  const { keyVariable, model, baseUrl } = endpoint;
  const moved = failure.headers?.get("location");
  if (moved) return `Use ${moved} as the base URL.`;
  if (failure.status === 401 || failure.status === 403) {
    return `Check the key in ${keyVariable}: it is wrong, has expired, or may not use this model.`;
  }
  if (failure.status === 404) {
    return baseUrl === null
      ? `Check the name of the model "${model}".`
      : `Check the name of the model "${model}", and the base URL: most servers want it to end in /v1.`;
  }
  return "Nothing was retried, since the same request would fail again.";
}

/** A date is read by the clock of the server that gave it, where it tells: ours may be wrong. */
function askedSecOf(headers: Headers | null, nowMs: number): number | null {
  const ms = Number(headers?.get("retry-after-ms"));
  if (ms > 0) return ms / 1000;
  const theirs = Date.parse(headers?.get("date") ?? "");
  const now = Number.isNaN(theirs) ? nowMs : theirs;
  return retryAfterSec(headers?.get("retry-after") ?? null, now);
}

/** What a failed attempt at `endpoint` means. `nowMs`: the epoch, for a date in `Retry-After`. */
export function judgeFailure(error: unknown, endpoint: Endpoint, nowMs: number): Verdict {
  if (error instanceof PmcoderError) return { kind: "give_up", error };
  const failure = failureOf(error);
  const said = legible(failure, endpoint.key);
  const cause = causeOf(error, endpoint.key);
  if (isOverflow(failure)) {
    const message = `The prompt no longer fits into the context of ${endpoint.name}: ${said}`;
    return { kind: "give_up", error: new PmcoderError("context_exhausted", message, cause) };
  }
  if (isHopeless(failure)) {
    const message = `${endpoint.name}${place(endpoint)} refused the request: ${said}. ${adviceOn(failure, endpoint)}`;
    return { kind: "give_up", error: new PmcoderError("model_unavailable", message, cause) };
  }
  const askedSec = askedSecOf(failure.headers, nowMs);
  return { kind: "again", reason: said, askedSec, cause };
}

/** The server's words if it refused the request as such (400, 422), else null. */
export function refusalText(error: unknown): string | null {
  const { status, message } = failureOf(error);
  return status === 400 || status === 422 ? message : null;
}
