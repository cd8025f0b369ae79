import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capable } from "../capabilities.ts";

export interface SmallDisk {
  readonly folder: string;
  /** From now on nothing can be written there. */
  protect(): void;
  remove(): void;
}

const mount = (...args: readonly string[]) => spawnSync("/bin/mount", args).status === 0;

/** Whether this user may mount one. */
export const canMount = capable("mount", () => {
  const disk = mountSmallDisk(64);
  disk?.remove();
  return disk !== null;
});

/** A file system of its own in memory, or null where one may not be mounted. */
export function mountSmallDisk(kilobytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-disk-"));
  if (!mount("-t", "tmpfs", "-o", `size=${kilobytes}k,mode=755`, "tmpfs", folder)) {
    rmdirSync(folder);
    return null;
  }
  return {
    folder,
    protect: () => void mount("-o", "remount,ro", folder),
    remove: () => {
      spawnSync("/bin/umount", ["-l", folder]);
      rmdirSync(folder);
    },
  };
}
