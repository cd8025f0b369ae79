import type { Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";

/** The text of a file, absolute or relative to `workdir`; null if it cannot be read. */
export async function fileText(environment: Environment, path: string): Promise<string | null> {
  const absolute = path.startsWith("/") ? path : `${environment.workdir}/${path}`;
  try {
    return Buffer.from(await environment.read(absolute)).toString("utf8");
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "environment_lost") throw error;
    return null;
  }
}
