import { createHash } from "node:crypto";
import { PmcoderError } from "../../domain/errors.ts";
import type { Experiment } from "./experiment.ts";
import type { Selection } from "./select.ts";

/** One episode to run and to grade. */
export interface EpisodeJob {
  /** `ARM/seed-N/INSTANCE`: also the folder, below that of the experiment, for what it leaves. */
  readonly id: string;
  readonly instance: string;
  readonly arm: string;
  readonly seed: number;
}

/** The id depends on nothing but what is run, so that a restart recognises what is done. */
export function jobOf(instance: string, arm: string, seed: number): EpisodeJob {
  return { id: `${runFolder(arm, seed)}/${instance}`, instance, arm, seed };
}

/** The job of an id. Throws PmcoderError `internal` for what is none. */
export function jobOfId(id: string): EpisodeJob {
  const [, arm = "", seed = "", instance = ""] = /^([^/]+)\/seed-(\d+)\/(.+)$/s.exec(id) ?? [];
  if (instance !== "") return jobOf(instance, arm, Number(seed));
  throw new PmcoderError("internal", `"${id}" is the id of no job.`);
}

/** The folder of one arm and seed, which has its own predictions and reports. */
export function runFolder(arm: string, seed: number): string {
  return `${arm}/seed-${seed}`;
}

/**
 * The run id of one arm and seed. Graders keep results by run id, model and instance, so no two
 * may share one.
 */
export function runIdOf({ name }: Pick<Experiment, "name">, arm: string, seed: number): string {
  return `${name}.${arm}.seed-${seed}`;
}

/**
 * Every selected episode, instance by instance in the order of the dataset, so that an image is
 * needed in one stretch of time; within an instance arms and seeds are shuffled. Where a job stands
 * among those of its instance does not depend on what else is selected. Throws PmcoderError `usage`
 * when nothing is left to run.
 */
export function expand(
  { orderSeed }: Pick<Experiment, "orderSeed">,
  instances: readonly string[],
  selection: Selection,
): readonly EpisodeJob[] {
  const chosen = selectInstances(instances, selection);
  return chosen.flatMap((instance) => {
    const jobs = selection.arms.flatMap((arm) =>
      selection.seeds.map((seed) => jobOf(instance, arm, seed)),
    );
    return shuffled(jobs, orderSeed);
  });
}

function selectInstances(
  instances: readonly string[],
  { filter, slice }: Selection,
): readonly string[] {
  const filtered = instances.filter((id) => filter?.test(id) ?? true);
  if (filtered.length === 0) {
    const why =
      filter === null
        ? "The dataset holds no usable row."
        : `--filter ${filter.source} matches none of ${instances.length} instances.`;
    throw new PmcoderError("usage", why);
  }
  const sliced = filtered.slice(slice.from, slice.to);
  if (sliced.length > 0) return sliced;
  throw new PmcoderError(
    "usage",
    `--slice leaves none of ${filtered.length} instances; they count from 0.`,
  );
}

/** In the order of the hashes of their ids: random, and the same for the same seed. */
function shuffled(jobs: readonly EpisodeJob[], seed: number): readonly EpisodeJob[] {
  return jobs
    .map((job) => ({ job, key: createHash("sha256").update(`${seed}/${job.id}`).digest("hex") }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ job }) => job);
}
