import { type Engine, statusOf } from "./docker-engine.ts";
import { withTag } from "./docker-image.ts";

/** An image that an engine has. */
export interface EngineImage {
  /** Of its content. */
  readonly id: string;
  /** By which a registry gives it again; null: it came from none. */
  readonly digest: string | null;
}

/** What an engine has under a name; null: nothing. Rejects when it does not answer. */
export async function findImage({ docker }: Engine, name: string): Promise<EngineImage | null> {
  try {
    const { Id: id, RepoDigests: digests } = await docker.getImage(withTag(name)).inspect();
    return { id, digest: digests?.[0] ?? null };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

/** Bytes on disk of all images; layers that several share count once where the engine tells. */
export async function imageBytes({ docker }: Engine): Promise<number> {
  const { LayersSize: layers } = (await docker.df()) as { LayersSize?: number };
  if (layers !== undefined && layers > 0) return layers;
  const images = await docker.listImages();
  return images.reduce((sum, { Size: size }) => sum + size, 0);
}

/**
 * Removes an image that a registry can give again, unless a container uses it. Resolves with whether
 * it is gone; never rejects.
 */
export async function removeImage(engine: Engine, name: string): Promise<boolean> {
  try {
    const image = await findImage(engine, name);
    if (image?.digest == null) return false;
    await engine.docker.getImage(withTag(name)).remove();
    return true;
  } catch {
    // A container uses it, or somebody else removes it.
    return false;
  }
}
