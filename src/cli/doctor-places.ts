import { access, mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bytes } from "../domain/quantities.ts";
import type { Finding } from "./doctor-report.ts";

/** The folder itself, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const stands = await access(folder).then(
    () => true,
    () => false,
  );
  return stands || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Whether the folder in which runs are kept can be written, or made: by trying, beside it. */
export async function stateFinding(folder: string): Promise<Finding> {
  const name = "state folder";
  const place = await existing(folder);
  try {
    await rmdir(await mkdtemp(join(place, ".pmcoder-")));
    return { name, state: "ok", found: folder };
  } catch {
    const found = `${folder} cannot be written`;
    return { name, state: "missing", found, fix: "export PMCODER_STATE=A_FOLDER_OF_YOURS" };
  }
}

/** Where memories across issues are kept. Nothing is made: most people have none. */
export async function bankFinding(file: string): Promise<Finding> {
  const name = "experience";
  const size = await stat(file).then(
    ({ size }) => size,
    () => null,
  );
  if (size !== null) return { name, state: "ok", found: `${bytes(size)} in ${file}` };
  return { name, state: "ok", found: `nothing learned yet; it would be kept in ${file}` };
}

const gigabyte = 1e9;

/** Room for a working copy and what builds and tests write into it: 1 GB at least, 5 to be safe. */
export async function diskFinding(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await existing(folder));
  return roomFinding(folder, bavail * bsize);
}

export function roomFinding(folder: string, free: number): Finding {
  const name = "disk";
  const found = `${bytes(free)} free at ${folder}`;
  if (free >= 5 * gigabyte) return { name, state: "ok", found };
  const fix = "pmcoder config set environment.workDir A_FOLDER_WITH_ROOM";
  return { name, state: free < gigabyte ? "missing" : "optional", found, fix };
}
