import type { EpisodeJob } from "../../eval/experiment/expand.ts";
import type { Kind } from "../choose-environment.ts";
import type { ExperimentPlan } from "./plan.ts";
import { type FindVenue, imageIn } from "./venue.ts";

/** Where the jobs of a batch run. */
export interface Survey {
  readonly kinds: ReadonlySet<Kind>;
  /** Jobs by the image that they run in. */
  readonly images: ReadonlyMap<string, number>;
}

export async function surveyJobs(
  jobs: readonly EpisodeJob[],
  { arms, instances }: Pick<ExperimentPlan, "arms" | "instances">,
  venueOf: FindVenue,
): Promise<Survey> {
  const kinds = new Set<Kind>();
  const images = new Map<string, number>();
  for (const { arm, instance } of jobs) {
    const [one, config] = [instances.get(instance), arms.get(arm)?.config];
    if (one === undefined || config === undefined) continue;
    const venue = await venueOf(one, config.environment);
    kinds.add(venue.kind);
    const image = imageIn(venue);
    if (image !== null) images.set(image, (images.get(image) ?? 0) + 1);
  }
  return { kinds, images };
}
