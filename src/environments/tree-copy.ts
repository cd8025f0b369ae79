import { chmod, chown, lstat, mkdir, utimes } from "node:fs/promises";
import { PmcoderError } from "../domain/errors.ts";
import { type HostResult, runHost } from "./host-command.ts";
import { childOf, namesIn, pathBytes, type RawPath, showPath } from "./tree-survey.ts";

export interface TreeCopy {
  readonly from: string;
  readonly to: string;
  /** What becomes of a symbolic link: another link, or what it leads to. */
  readonly links: "keep" | "follow";
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a tree, with modes and times, into a folder that exists, but for the paths in `omit`. A
 * folder with nothing to omit below it goes to `cp` as a whole, so that a large tree takes few
 * processes. Returns what could not be copied. Throws PmcoderError `storage` on a full disk.
 */
export async function copyWhole(
  copy: TreeCopy,
  omit: ReadonlyMap<RawPath, unknown>,
): Promise<string[]> {
  const parted = new Set(["", ...[...omit.keys()].flatMap(foldersAbove)]);
  const folders = [...parted].filter((folder) => !omit.has(folder)).sort();
  const failed: string[] = [];
  for (const folder of folders) {
    await mkdir(pathBytes(copy.to, folder), { recursive: true });
    const names = namesIn(copy.from, folder) ?? [];
    const whole = names.filter((name) => {
      const path = childOf(folder, name);
      return !omit.has(path) && !parted.has(path);
    });
    failed.push(...(await copyInto(copy, folder, whole)));
  }
  for (const folder of folders.reverse()) await makeAlike(copy, folder);
  return failed;
}

function foldersAbove(path: RawPath): RawPath[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Gives a folder that was made here the owner, mode and times of its original. */
async function makeAlike({ from, to }: TreeCopy, folder: RawPath): Promise<void> {
  const { uid, gid, mode, atime, mtime } = await lstat(pathBytes(from, folder));
  // Only root may give a folder away; for anyone else it is theirs already.
  await chown(pathBytes(to, folder), uid, gid).catch(() => {});
  await chmod(pathBytes(to, folder), mode & 0o7777);
  await utimes(pathBytes(to, folder), atime, mtime);
}

/**
 * The first record of the input names the folder to copy into, the others what to copy. A clone of
 * the blocks is asked for in the way of this system's `cp`; where it does not know how, a plain
 * copy follows.
 */
function copyScript(links: TreeCopy["links"]): string {
  const follow = links === "follow" ? "L" : "";
  const clone = process.platform === "darwin" ? `-cRp${follow}` : `-a${follow} --reflink=auto`;
  return `IFS= read -r -d '' to; export to
exec xargs -0 sh -c 'cp ${clone} "$@" "$to" 2>/dev/null || cp -Rpf${follow} "$@" "$to"' sh`;
}

/**
 * Copies entries of a folder, whole if they are folders, into the folder of the same path, which
 * exists. Returns what could not be copied. Throws PmcoderError `storage` on a full disk.
 */
export async function copyInto(
  { from, to, links, signal }: TreeCopy,
  folder: RawPath,
  names: readonly RawPath[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const sources = names.map((name) => `./${childOf(folder, name)}`);
  const target = pathBytes(to, folder).toString("latin1");
  const input = Buffer.from([target, ...sources, ""].join("\0"), "latin1");
  const result = await runHost(["bash", "-c", copyScript(links)], { cwd: from, input, signal });
  if (result.exitCode === 0) return [];
  refuseFullDisk(to, result);
  const missing: string[] = [];
  for (const name of names) await findMissing({ from, to }, childOf(folder, name), missing);
  return missing;
}

/** `Wrote only` is how tar says it. */
function refuseFullDisk(to: string, { stderr }: HostResult): void {
  if (!/No space left|quota exceeded|Wrote only/i.test(stderr)) return;
  throw new PmcoderError(
    "storage",
    `There is no room for a copy of the repository in ${to}: free some space, set environment.workDir to a folder on another disk, or use --copy tracked.`,
  );
}

/** Adds the paths that stand in `from` and not, or not whole, in `to`; of a missing folder only itself. */
async function findMissing(
  copy: Pick<TreeCopy, "from" | "to">,
  path: RawPath,
  missing: string[],
): Promise<void> {
  const original = await lstat(pathBytes(copy.from, path)).catch(() => null);
  if (original === null) return;
  const copied = await lstat(pathBytes(copy.to, path)).catch(() => null);
  const cut = original.isFile() && copied?.isFile() && copied.size < original.size;
  if (copied === null || cut) missing.push(showPath(path));
  else if (original.isDirectory()) {
    for (const name of namesIn(copy.from, path) ?? []) {
      await findMissing(copy, childOf(path, name), missing);
    }
  }
}

/**
 * Copies listed files and links, with their modes and times, into a folder that exists.
 * Returns what could not be copied. Throws PmcoderError `storage` on a full disk.
 */
export async function copyListed(copy: TreeCopy, paths: readonly RawPath[]): Promise<string[]> {
  const { from, to, signal } = copy;
  if (paths.length === 0) return [];
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1");
  const script = 'set -o pipefail; tar --null -T - -cf - | tar -xpf - -C "$1"';
  const result = await runHost(["bash", "-c", script, "bash", to], { cwd: from, input, signal });
  if (result.exitCode === 0) return [];
  refuseFullDisk(to, result);
  const missing: string[] = [];
  for (const path of paths) await findMissing(copy, path, missing);
  return missing;
}
