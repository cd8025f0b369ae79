import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { z } from "zod";
import type { IssueIdentity } from "../../domain/experience.ts";
import { readDataset } from "../../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../../eval/dataset-place.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { parseRows } from "../../eval/replay-rows.ts";
import type { ForeignEpisode } from "../../trajectories/foreign.ts";
import type { Io } from "../io.ts";
import { epochOf } from "../issue-identity.ts";
import { textOf } from "../replay.ts";
import type { LearnFlags } from "./command.ts";

/** Whether a recorded run resolved its issue; an index may have several runs of an instance. */
const OutcomeRow = z.object({
  instance_id: z.string(),
  resolved: z.boolean().nullable().default(null),
  file: z.string().nullable().default(null),
});
type OutcomeRow = z.infer<typeof OutcomeRow>;

/** What is known of issues and runs beside the trajectories. */
export interface KnownIssues {
  readonly rows: ReadonlyMap<string, DatasetRow>;
  readonly outcomes: readonly OutcomeRow[];
  /** For episodes that do not name their repository; null: not given. */
  readonly repo: string | null;
}

/** Reads `--dataset` and `--outcomes`. Throws PmcoderError `usage`. */
export async function knownIssues(
  { dataset, outcomes, repo }: Pick<LearnFlags, "dataset" | "outcomes" | "repo">,
  { env, cwd }: Io,
): Promise<KnownIssues> {
  const place = { base: cwd, datasets: datasetsFolder(env) };
  const rows =
    dataset === undefined ? [] : (await readDataset(locateDataset(dataset, place), dataset)).rows;
  return {
    rows: new Map(rows.map((row) => [row.instance_id, row])),
    outcomes: outcomes === undefined ? [] : parseRows(OutcomeRow, textOf(outcomes, cwd), outcomes),
    repo: repo ?? null,
  };
}

/**
 * The issue of an episode: by its row, else as far as the trajectory tells. Without a row it counts
 * as written when the file was, as it cannot be younger.
 */
export function identityOfEpisode(
  { instanceId, task }: ForeignEpisode,
  file: string,
  { rows, repo }: KnownIssues,
  cwd: string,
): IssueIdentity {
  const row = instanceId === null ? undefined : rows.get(instanceId);
  return {
    instanceId,
    repo: row?.repo ?? repositoryOf(instanceId) ?? repo,
    issue: row?.problem_statement ?? task,
    createdAt: row ? epochOf(row.created_at) : Math.floor(statSync(resolve(cwd, file)).mtimeMs),
  };
}

/** `owner__name-123` is an issue of `owner/name`. */
function repositoryOf(instanceId: string | null): string | null {
  const [, owner, name] = /^([^_]\S*?)__(\S+)-\d+$/.exec(instanceId ?? "") ?? [];
  return owner !== undefined && name !== undefined ? `${owner}/${name}` : null;
}

/** Whether the run of a file is known to have resolved its instance; null: nothing is known. */
export function outcomeOf(
  instanceId: string | null,
  file: string,
  { outcomes }: KnownIssues,
): boolean | null {
  const rows = outcomes.filter((row) => row.instance_id === instanceId);
  const named = rows.find((row) => row.file !== null && basename(row.file) === basename(file));
  return (named ?? rows[0])?.resolved ?? null;
}
