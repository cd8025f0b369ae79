import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotShelf } from "../domain/snapshots.ts";
import { writeWhole } from "./files.ts";
import { storageError } from "./storage-error.ts";

/** Saved states as files in a folder of the run's, which stands once something is saved. */
export function snapshotFolder(folder: string): SnapshotShelf {
  const nameOf = (tree: string) => `${tree}.diff`;
  return {
    put: (tree, patch) => writeWhole(join(folder, nameOf(tree)), patch),
    get: (tree) => {
      const file = join(folder, nameOf(tree));
      try {
        return existsSync(file) ? readFileSync(file) : null;
      } catch (error) {
        throw storageError(file, "read", error);
      }
    },
    keepOnly: (trees) => {
      if (trees.length === 0) return rmSync(folder, { recursive: true, force: true });
      const kept = new Set(trees.map(nameOf));
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        if (!kept.has(name)) rmSync(join(folder, name), { force: true });
      }
    },
  };
}
