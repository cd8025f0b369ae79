import { dirname, join } from "node:path";
import { imageOf } from "../../environments/docker-image.ts";
import type { InstanceSpec } from "../../eval/batch/episode-spec.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { type EpisodeJob, runFolder } from "../../eval/experiment/expand.ts";
import { instanceFolder } from "../../eval/harness/layout.ts";
import { folderNameOf } from "../../store/folder-name.ts";
import type { Env } from "../env.ts";
import { workRoot } from "../places.ts";

/** The folder of one episode, in the output folder of its experiment. */
export function jobFolder(
  folder: string,
  { arm, seed, instance }: Pick<EpisodeJob, "arm" | "seed" | "instance">,
): string {
  return join(folder, runFolder(arm, seed), folderNameOf(instance));
}

/** The grader's run id of an experiment's gold patches. */
export const goldRunId = ({ name }: { readonly name: string }) => `${name}.gold`;

/** Where the grading of an instance's own patch goes. */
export function goldFolder(
  folder: string,
  experiment: { readonly name: string },
  { instance_id: instance }: Pick<DatasetRow, "instance_id">,
): string {
  return instanceFolder(folder, { runId: goldRunId(experiment), model: "gold", instance });
}

/** The image that it happens in; null: the instance brings its repository. */
export const goldImage = ({ row, repository }: Pick<InstanceSpec, "row" | "repository">) =>
  repository === null ? imageOf(row) : null;

/** Where the bundled repository of a run is laid out, away from everything that names its arm. */
export function repositoryFolder(env: Env, run: string): string {
  return join(dirname(workRoot(env)), "repositories", run);
}
