import { listDead, removeContainer } from "../../environments/docker-clean.ts";
import { connectEngine, type Engine } from "../../environments/docker-engine.ts";
import { findImage, imageBytes, removeImage } from "../../environments/docker-images.ts";
import type { ImageRecord } from "../../eval/batch/episode-result.ts";
import type { ImageStore } from "../../eval/batch/image-use.ts";
import type { Env } from "../env.ts";

/** The Docker engine of a batch, asked only where something runs in it. */
export interface Engines extends ImageStore {
  /** What an image's name stands for now; null: the engine does not have it. */
  recordOf(image: string): Promise<ImageRecord | null>;
  /** Removes the containers that a dead process made for a run. */
  clearRun(run: string): Promise<void>;
}

/** `engine` null: nothing of the batch runs in docker. */
export function enginesOf(engine: Engine | null): Engines {
  if (engine === null) return noEngine;
  const records = new Map<string, ImageRecord>();
  return {
    recordOf: async (name) => {
      const known = records.get(name);
      if (known !== undefined) return known;
      // What the engine does not tell now costs no run.
      const found = await findImage(engine, name).catch(() => null);
      if (found === null) return null;
      records.set(name, { name, ...found });
      return { name, ...found };
    },
    clearRun: async (run) => {
      const dead = await listDead(engine);
      const own = dead.filter((container) => container.run === run);
      await Promise.all(own.map(({ id }) => removeContainer(engine, id)));
    },
    size: () => imageBytes(engine),
    remove: (image) => removeImage(engine, image),
  };
}

const noEngine: Engines = {
  recordOf: async () => null,
  clearRun: async () => {},
  size: async () => 0,
  remove: async () => false,
};

/** Rejects with PmcoderError `environment_lost` when none answers. */
export const openEngine = (env: Env): Promise<Engine> => connectEngine({ ...env });
