import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import type { SummaryShelf } from "./summarise.ts";
import type { FileSummary } from "./summary.ts";

const Line = z.object({
  file: z.string(),
  edits: z.number(),
  summary: z.string(),
  sourceSha: z.string(),
  model: z.string(),
  costUsd: z.number().nullable(),
});

/**
 * Summaries of files as JSON lines, one added at a time, so that what was paid for survives a kill.
 * Rejects with PmcoderError `storage`.
 */
export async function openSummaryFile(path: string): Promise<SummaryShelf> {
  const known = await readSummaries(path);
  return {
    known,
    keep: async (summary) => {
      try {
        await mkdir(dirname(path), { recursive: true });
        // The empty line ends one that a kill may have cut.
        await appendFile(path, `\n${JSON.stringify(summary)}\n`);
      } catch (cause) {
        throw storage(path, "written", cause);
      }
    },
  };
}

/** What is kept; nothing where there is no file. A line that was cut is as if it were not there. */
async function readSummaries(path: string): Promise<readonly FileSummary[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw storage(path, "read", cause);
  }
  return text.split("\n").flatMap((line) => {
    const read = Line.safeParse(jsonOf(line));
    return read.success ? [read.data] : [];
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function storage(path: string, what: string, cause: unknown): PmcoderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `Summaries of files cannot be ${what} at ${path}: ${reason}`;
  return new PmcoderError("storage", message, { cause });
}
