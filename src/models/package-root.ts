import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of pmcoder's own package.json, above the module `from` (an `import.meta.url`): the
 * same for the sources and for the build, which lies one folder deeper.
 */
export function packageRoot(from: string): string {
  const start = dirname(fileURLToPath(from));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${start}`);
  }
}
