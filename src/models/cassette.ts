import { createHash } from "node:crypto";
import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import type { ToolCall } from "../domain/message.ts";
import {
  type Model,
  type ModelReply,
  type ModelRequest,
  type Purpose,
  purposes,
} from "../domain/model.ts";
import { isRedacted, redactorOf } from "../domain/redact.ts";
import type { Secret } from "../domain/secrets.ts";

const format = "pmcoder-cassette-1";

const Header = z.object({
  format: z.literal(format),
  /** `provider:name` of the model that was recorded. */
  model: z.string(),
  /** SHA-256, hex, of the first user message of the recorded conversation. */
  task_sha256: z.string(),
  /** The issue as the run was given it, which stands inside that message. */
  task: z.string(),
});

const Call = z.object({
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  malformed: z.string().exactOptional(),
  cut: z.literal(true).exactOptional(),
}) satisfies z.ZodType<ToolCall>;

const Reply = z.object({
  purpose: z.enum(purposes),
  content: z.string(),
  calls: z.array(Call),
  native: z.object({ provider: z.string(), blocks: z.array(z.unknown()) }).exactOptional(),
  usage: z
    .object({
      input: z.number(),
      cached: z.number(),
      cacheWritten: z.number(),
      output: z.number(),
    })
    .exactOptional(),
  stop: z.enum(["calls", "end", "length", "refusal"]).exactOptional(),
});

/** What one recorded reply gives back. */
export interface RecordedReply extends Partial<Pick<ModelReply, "usage" | "stop">> {
  readonly purpose: Purpose;
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly native?: NonNullable<ModelReply["message"]["native"]>;
}

export interface Cassette {
  readonly model: string;
  readonly taskSha256: string;
  readonly task: string;
  readonly replies: readonly RecordedReply[];
}

export function isCassette(text: string): boolean {
  return text.slice(0, 200).includes(`"${format}"`);
}

function parseLine<T>(schema: z.ZodType<T>, line: string, at: number, file: string): T {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    found = undefined;
  }
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem =
    found === undefined ? "not valid JSON" : `${issue?.path.join(".")}: ${issue?.message}`;
  throw new PmcoderError(
    "model_unavailable",
    `Line ${at} of the cassette ${file} cannot be read (${problem}). Repair or delete the line, or record the run again.`,
  );
}

/**
 * Reads a cassette: JSON lines, a header and then one reply a line.
 * @throws PmcoderError `model_unavailable`, naming `file` and the line.
 */
export function readCassette(text: string, file: string): Cassette {
  const lines = text.split("\n").map((line, index) => ({ line, at: index + 1 }));
  const [first, ...rest] = lines.filter(({ line }) => line.trim() !== "");
  const header = parseLine(Header, first?.line ?? "", first?.at ?? 1, file);
  const replies = rest.map(({ line, at }) => parseLine(Reply, line, at, file));
  return { model: header.model, taskSha256: header.task_sha256, task: header.task, replies };
}

function firstUserMessage(request: ModelRequest): string {
  return request.messages.find(({ role }) => role === "user")?.content ?? "";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether a cassette belongs to a conversation: the same opening, or one about the same issue. */
export function matches({ taskSha256, task }: Cassette, request: ModelRequest): boolean {
  const opening = firstUserMessage(request);
  const issue = task.trim();
  return taskSha256 === sha256(opening) || (issue !== "" && opening.includes(issue));
}

/**
 * Whether a cassette may belong to a run about this issue, before there is a conversation. Where its
 * own issue is empty or was redacted, the opening alone tells.
 */
export function mayMatch({ task }: Cassette, issue: string): boolean {
  return isRedacted(task) || issue.includes(task.trim());
}

/** Where the lines of a cassette go; each is kept before `write` returns. */
export interface CassetteSink {
  write(line: string): void;
}

/**
 * `model`, with every reply written to `sink` as it comes, so that a killed run keeps what it paid
 * for. What is written is redacted: a cassette is made to be handed on. `task`: the issue as the
 * user gave it.
 */
export function recordingModel(
  model: Model,
  sink: CassetteSink,
  task: string,
  secrets: readonly Secret[],
): Model {
  let begun = false;
  const redact = redactorOf(secrets);
  const write = (value: object) => sink.write(`${JSON.stringify(redact(value))}\n`);
  return {
    ...model,
    complete: async (request, call) => {
      const reply = await model.complete(request, call);
      const { message, usage, stop } = reply;
      if (!begun) {
        const opening = sha256(firstUserMessage(request));
        write({ format, model: model.name, task_sha256: opening, task });
        begun = true;
      }
      const { content, calls, native } = message;
      write({ purpose: request.purpose, content, calls, native, usage, stop });
      return reply;
    },
  };
}
