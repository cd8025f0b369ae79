import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import type { Commit } from "./commit.ts";

/** A line of a commit graph: committer date in ISO 8601, files of a merge left out. */
const Line = z.object({
  sha: z.string().min(1),
  parents: z.array(z.string()),
  date: z.string(),
  subject: z.string(),
  body: z.string(),
  files: z.array(z.string()),
});

/**
 * A commit graph from JSON lines, also `.gz`, by sha. Rejects with PmcoderError `usage` that names
 * the line.
 */
export async function readCommits(path: string): Promise<ReadonlyMap<string, Commit>> {
  const bytes = createReadStream(path);
  const text = path.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  const failed = new Promise<never>((_, reject) => {
    bytes.on("error", reject);
    text.on("error", reject);
  });
  try {
    return await Promise.race([failed, parse(createInterface({ input: text }), path)]);
  } catch (cause) {
    if (cause instanceof PmcoderError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PmcoderError("usage", `${path} cannot be read: ${reason}`, { cause });
  }
}

async function parse(lines: AsyncIterable<string>, path: string) {
  const graph = new Map<string, Commit>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    const { sha, parents, date, subject, body, files } = checked(line, `${path}:${number}`);
    const message = body === "" ? subject : `${subject}\n\n${body}`;
    graph.set(sha, { sha, parents, message, committedAt: epochOf(date), files, moves: [] });
  }
  return graph;
}

function checked(line: string, where: string): z.infer<typeof Line> {
  try {
    return Line.parse(JSON.parse(line));
  } catch (cause) {
    throw new PmcoderError(
      "usage",
      `${where} is no commit: expected a JSON object with sha, parents, date, subject, body and files.`,
      { cause },
    );
  }
}

/**
 * Epoch ms of an ISO 8601 date in any zone. `+518:00` stands in real histories, where the time of
 * day was moved by as much, so what is left is right. Null: it is no date.
 */
function epochOf(date: string): number | null {
  const match = /^(.+?)(?:Z|([+-])(\d+):?(\d\d))$/.exec(date.trim());
  const local = Date.parse(`${match?.[1] ?? ""}Z`);
  if (!match || Number.isNaN(local)) return null;
  const [, , sign = "+", hours = "0", minutes = "0"] = match;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? local + offset : local - offset;
}
