import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { EmbedderConfig } from "../domain/config/swe-exp-memory.ts";
import type { Embedder } from "../domain/embedder.ts";
import { type Keys, keyFor } from "./open-model.ts";

/**
 * The embedding model that is configured; null: none. It waits and tries again as the language
 * model does.
 * @throws PmcoderError `model_unavailable` without a key for its server.
 */
export async function openEmbedder(
  config: EmbedderConfig,
  patience: RunConfig["model"],
  keys: Keys,
  clock: Clock,
): Promise<Embedder | null> {
  const { model, baseUrl } = config;
  if (model === null) return null;
  const endpoint = { name: `embed:${model}`, model, baseUrl, ...keyFor("openai", baseUrl, keys) };
  const { openaiEmbedder } = await import("./embeddings.ts");
  return openaiEmbedder({ endpoint, config: patience, clock }, config);
}
