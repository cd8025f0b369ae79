import type { Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";

/**
 * A path relative to the top of a tree, one character a byte (latin1), because file names need not
 * be UTF-8; empty for the top itself.
 */
export type RawPath = string;

export interface Omission {
  readonly path: string;
  readonly reason: string;
}

/** What a look over a tree found. */
export interface TreeSurvey {
  /** Sum of the sizes of the files that a copy takes. */
  readonly bytes: number;
  /** What a copy must not take, with the reason to tell; null: nobody misses it. */
  readonly omit: ReadonlyMap<RawPath, string | null>;
  /** Files and links called `.git` below the top: submodules and linked work trees. */
  readonly pointers: readonly RawPath[];
}

export interface SurveyOptions {
  /** Paths that a copy must not take and nobody misses. */
  readonly skip: (path: RawPath) => boolean;
  /** Files that git tracks although they are called like secrets. */
  readonly tracked: ReadonlySet<RawPath>;
  /** The look ends once `bytes` is larger. */
  readonly limitBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export function pathBytes(top: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(path === "" ? top : `${top}/`), Buffer.from(path, "latin1")]);
}

export function showPath(path: RawPath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Names in a folder, or null when it cannot be listed. */
export async function namesIn(top: string, folder: RawPath): Promise<RawPath[] | null> {
  const names = await readdir(pathBytes(top, folder), { encoding: "buffer" }).catch(() => null);
  return names?.map((name) => name.toString("latin1")) ?? null;
}

export function childOf(folder: RawPath, name: RawPath): RawPath {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Looks at every entry of a tree once, or at the listed ones alone, and follows no link. */
export async function surveyTree(
  top: string,
  options: SurveyOptions,
  listed?: readonly RawPath[],
): Promise<TreeSurvey> {
  const omit = new Map<RawPath, string | null>();
  const pointers: RawPath[] = [];
  let bytes = 0;

  async function lookInto(folder: RawPath): Promise<void> {
    options.signal?.throwIfAborted();
    const names = await namesIn(top, folder);
    if (names === null) omit.set(folder, "unreadable");
    else await Promise.all(names.map((name) => lookAt(childOf(folder, name))));
  }

  async function lookAt(path: RawPath): Promise<void> {
    if (bytes > options.limitBytes) return;
    const entry = await examine(top, path, options);
    if (entry.type === "folder" && !listed) await lookInto(path);
    if (entry.type === "omitted") omit.set(path, entry.reason);
    if (entry.type !== "file") return;
    bytes += entry.bytes;
    if (path.endsWith("/.git")) pointers.push(path);
  }

  if (listed) await Promise.all(listed.map(lookAt));
  else await lookInto("");
  return { bytes, omit, pointers };
}

/** `.env`, `.env.local`, `.envrc`: where projects keep keys. */
const secretName = /(?:^|\/)\.env[^/]*$/;

type Entry =
  | { readonly type: "folder" }
  | { readonly type: "file"; readonly bytes: number }
  | { readonly type: "omitted"; readonly reason: string | null };

/** A file that is listed and not there is nothing to tell of. */
async function examine(top: string, path: RawPath, options: SurveyOptions): Promise<Entry> {
  const omitted = (reason: string | null): Entry => ({ type: "omitted", reason });
  if (options.skip(path)) return omitted(null);
  const stats = await lstat(pathBytes(top, path)).catch(() => null);
  if (stats === null) return omitted(null);
  if (stats.isDirectory()) return { type: "folder" };
  if (secretName.test(path) && !options.tracked.has(path)) return omitted("may hold secrets");
  if (!stats.isFile() && !stats.isSymbolicLink()) return omitted("not a file");
  const readable = stats.isSymbolicLink() || (await isReadable(top, path, stats));
  return readable ? { type: "file", bytes: stats.size } : omitted("unreadable");
}

/** Tries only when the mode leaves it open. */
async function isReadable(top: string, path: RawPath, { mode }: Stats): Promise<boolean> {
  if ((mode & 0o444) === 0o444) return true;
  const file = await open(pathBytes(top, path)).catch(() => null);
  await file?.close();
  return file !== null;
}
