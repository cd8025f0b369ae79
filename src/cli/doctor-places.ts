import { access, mkdtemp, readdir, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Finding } from "./doctor-report.ts";
import { bytes } from "./quantities.ts";
import { shellWord } from "./terminal-text.ts";

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

const dayMs = 24 * 3600 * 1000;

/** When a run began, by its id, which names its folder; null for a folder that is no run's. */
function startOf(name: string): number | null {
  const [, date, hour, minute, second] =
    /^(\d{8})-(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}$/.exec(name) ?? [];
  if (date === undefined) return null;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/**
 * Working copies of runs that began more than a day before `now` (epoch ms): a run removes its own
 * when it ends, so these are of killed runs, or were kept because no patch could be taken.
 */
export async function copiesFinding(workFolder: string, now: number): Promise<Finding> {
  const name = "working copies";
  const folders = await readdir(workFolder).catch(() => []);
  const stale = folders.filter((folder) => {
    const start = startOf(folder);
    return start !== null && now - start > dayMs;
  });
  if (stale.length === 0) return { name, state: "ok", found: "none left behind" };
  const found = `${stale.length} older than a day left behind`;
  const paths = stale.map((folder) => shellWord(join(workFolder, folder)));
  return { name, state: "optional", found, fix: `rm -rf ${paths.join(" ")}` };
}
