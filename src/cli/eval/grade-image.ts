import type { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { connectEngine } from "../../environments/docker-engine.ts";
import { findImage } from "../../environments/docker-images.ts";
import { ensureImage } from "../../environments/docker-pull.ts";
import type { Io } from "../io.ts";

export interface ImageParts {
  readonly config: RunConfig["environment"];
  readonly env: Io["env"];
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/**
 * The id of an image's content, pulled first where the engine does not have it. Rejects with
 * PmcoderError `image_missing`, and `environment_lost` when no engine answers.
 */
export async function idOfImage(
  image: string,
  { config, env, signal, tell }: ImageParts,
): Promise<string> {
  const engine = await connectEngine({ ...env });
  const { pullTimeoutSec: timeoutSec } = config;
  await ensureImage(engine, { image, timeoutSec, signal, onProgress: tell });
  const found = await findImage(engine, image);
  if (found !== null) return found.id;
  throw new PmcoderError("image_missing", `The image ${image} was here and is gone again.`);
}
