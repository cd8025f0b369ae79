import { PmcoderError } from "../../domain/errors.ts";
import type { JobHandler } from "../../domain/queue.ts";
import type { Work } from "./batch.ts";
import { episodeSpec, type InstanceSpec, instanceSpec, type ReadDocument } from "./episode-spec.ts";
import { performGold } from "./gold-job.ts";
import type { Submission } from "./grader.ts";
import type { ImageUse } from "./image-use.ts";
import { type JobParts, performJob } from "./perform-job.ts";

export interface HandlerParts extends JobParts {
  /** The documents of the experiment. */
  readonly read: ReadDocument;
  /** Where the grading of an instance's own patch goes, and the image that it happens in. */
  readonly gold: (
    instance: InstanceSpec,
  ) => Pick<Submission, "runId" | "folder"> & { readonly image: string | null };
  readonly images: ImageUse;
  /** Nothing more can be kept, so that nothing more is to be begun. */
  readonly onStorageLost: (error: PmcoderError) => void;
}

/** Does the jobs of an experiment, its episodes and its gold patches. */
export function handlerOf(parts: HandlerParts): JobHandler {
  return async ({ payload }, attempt) => {
    const signal = AbortSignal.any([parts.signal, attempt.signal]);
    try {
      return await perform(payload as Work, { ...parts, signal });
    } catch (error) {
      if (error instanceof PmcoderError && error.code === "storage") parts.onStorageLost(error);
      throw error;
    }
  };
}

async function perform(work: Work, parts: HandlerParts) {
  const { read, images, stage } = parts;
  if (work.kind === "episode") {
    const spec = await episodeSpec(read, work.job);
    return images.during(await stage.imageOf(spec), () => performJob(spec, parts));
  }
  const instance = await instanceSpec(read, work.instance);
  const { image, ...where } = parts.gold(instance);
  return images.during(image, () => performGold(instance, where, parts));
}
