import { dirname, join } from "node:path";
import { type EpisodeJob, runFolder } from "../eval/experiment/expand.ts";
import { folderNameOf } from "../store/folder-name.ts";
import type { Env } from "./env.ts";
import { workRoot } from "./places.ts";

/** The folder of one episode, in the output folder of its experiment. */
export function jobFolder(
  folder: string,
  { arm, seed, instance }: Pick<EpisodeJob, "arm" | "seed" | "instance">,
): string {
  return join(folder, runFolder(arm, seed), folderNameOf(instance));
}

/** Where the grading of an instance's own patch goes. */
export function goldFolder(folder: string, instance: string): string {
  return join(folder, "gold", folderNameOf(instance));
}

/** Where the bundled repository of a run is laid out, away from everything that names its arm. */
export function repositoryFolder(env: Env, run: string): string {
  return join(dirname(workRoot(env)), "repositories", run);
}
