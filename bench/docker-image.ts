import { connectEngine } from "../src/environments/docker-engine.ts";

/** Made by .ci/docker-image. */
export const image = process.env["PMCODER_TEST_IMAGE"] ?? "pmcoder-testbed:latest";

/** Why no container of the image can be had here, or null. */
export async function lackingImage(): Promise<string | null> {
  try {
    const { docker } = await connectEngine(process.env);
    await docker.getImage(image).inspect();
    return null;
  } catch (error) {
    return `no Docker engine with the image ${image}: ${(error as Error).message}`;
  }
}
