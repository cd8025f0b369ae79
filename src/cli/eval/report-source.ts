import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Peek } from "../../domain/peek.ts";
import type { EpisodeResult } from "../../eval/batch/episode-result.ts";
import type { ReportSource, Workshop } from "../../eval/report/source.ts";
import { storageError } from "../../store/storage-error.ts";
import { readEnvironment } from "./environment.ts";
import { jobFolder } from "./places.ts";
import { readRecord } from "./record.ts";
import { readGold, readResults } from "./results.ts";

/**
 * What an experiment's output folder holds for its report; nothing is changed. `folder`: as the user
 * named it. Throws PmcoderError `usage` when it holds no experiment, `storage` when it cannot be
 * read.
 */
export function readReportSource(folder: string, cwd: string): ReportSource {
  const place = resolve(cwd, folder);
  const { version, created, experiment, declaration, jobs } = readRecord(place);
  const results = [...readResults(place).values()];
  return {
    folder,
    version,
    created,
    workshop: workshopOf(place),
    experiment,
    declaration,
    jobs,
    results,
    sha256: sha256Of(join(place, "results.jsonl")),
    gold: [...readGold(place).values()],
    peeks: peeksOf(place, results),
  };
}

function workshopOf(place: string): Workshop | null {
  const record = readEnvironment(place);
  if (record === null) return null;
  const { node, platform, engine, grader, dataset } = record;
  const { rows, leftOut } = dataset;
  return { node, platform, engine, grader, rows, leftOut };
}

/** Of no bytes where there is no file. */
function sha256Of(file: string): string {
  const bytes = readOrNull(file) ?? "";
  return createHash("sha256").update(bytes).digest("hex");
}

const Guarded = z.object({
  guard: z.array(z.object({ step: z.number(), command: z.string(), reason: z.string() })),
});

/** The commands that the summaries list, of the runs that have some. */
function peeksOf(
  place: string,
  results: readonly EpisodeResult[],
): ReadonlyMap<string, readonly Peek[]> {
  const peeking = results.filter(({ peeks }) => peeks > 0);
  return new Map(
    peeking.map((result) => [result.job, guardOf(join(jobFolder(place, result), "summary.json"))]),
  );
}

/** A summary that is missing or cannot be read lists nothing; the result has the number. */
function guardOf(file: string): readonly Peek[] {
  const text = readOrNull(file);
  if (text === null) return [];
  try {
    return Guarded.parse(JSON.parse(text.toString())).guard;
  } catch {
    return [];
  }
}

function readOrNull(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file);
  } catch (error) {
    throw storageError(file, "read", error);
  }
}
