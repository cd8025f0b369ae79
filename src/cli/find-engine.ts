import { PmcoderError } from "../domain/errors.ts";
import { connectEngine, type Engine } from "../environments/docker-engine.ts";
import type { Env } from "./env.ts";

/** The Docker engine, where one answers; null: none does, which many machines are content with. */
export async function findEngine(env: Env): Promise<Engine | null> {
  try {
    return await connectEngine({ ...env });
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "environment_lost") return null;
    throw error;
  }
}
