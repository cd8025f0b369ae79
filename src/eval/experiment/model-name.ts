import { isAbsolute, join } from "node:path";
import type { EpisodeJob } from "./expand.ts";

const placeholder = /\{(instance|arm|seed)\}/g;

/**
 * The model of a job. A recording's path is relative to the experiment's folder and may name the
 * job: `replay:replies/{instance}/{arm}-{seed}.jsonl`. Other models have one name for all.
 */
export function modelNameOf(
  model: string,
  { instance, arm, seed }: EpisodeJob,
  experimentFolder: string,
): string {
  const path = /^replay:(.+)$/s.exec(model)?.[1];
  if (path === undefined) return model;
  const values = { instance, arm, seed: String(seed) };
  const filled = path.replace(placeholder, (_, key: keyof typeof values) => values[key]);
  return `replay:${isAbsolute(filled) ? filled : join(experimentFolder, filled)}`;
}
