// biome-ignore lint/style/noRestrictedImports: a hash is a pure function of its input.
import { createHash } from "node:crypto";

/** The first eight hex digits of a text's SHA-1. */
export function shortHash(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 8);
}
