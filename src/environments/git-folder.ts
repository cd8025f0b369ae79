import { lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { gitText, hostGit } from "./host-git.ts";
import { copyInto } from "./tree-copy.ts";
import { namesIn, type Omission, pathBytes, type RawPath, showPath } from "./tree-survey.ts";

/** Where git keeps a work tree's state: the same folder twice unless the work tree is a linked one. */
export interface GitFolders {
  /** HEAD, index and what else belongs to this work tree alone. */
  readonly own: string;
  /** Objects, refs, configuration. */
  readonly common: string;
}

export async function gitFoldersOf(top: string): Promise<GitFolders> {
  const own = await realpath(await gitText(["rev-parse", "--absolute-git-dir"], top));
  const common = await gitText(["rev-parse", "--git-common-dir"], top);
  return { own, common: await realpath(resolve(top, common)) };
}

export interface GitCopy {
  readonly top: string;
  readonly folders: GitFolders;
  /** Top of the copy. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

/** Never copied: other work trees, which git would go to, and locks of commands that run now. */
const leftBehind = /^(?:worktrees|.*\.lock)$/;
/** What of the common folder belongs to the main work tree alone. */
const ofMainOnly =
  /^(?:index|HEAD|[A-Z]+_HEAD|MERGE_.*|BISECT_.*|AUTO_MERGE|COMMIT_EDITMSG|rebase-.*|sequencer|config\.worktree)$/;
/** What leads from a linked work tree's folder to the others. */
const ofLinkedOnly = /^(?:commondir|gitdir|locked)$/;

/**
 * Gives the copy of a work tree a `.git` folder of its own, whatever the original's is: a folder, a
 * link, or a file that points to one elsewhere. No git command in the copy reaches the original.
 * Returns what could not be copied.
 */
export async function copyGitFolder(copy: GitCopy): Promise<string[]> {
  const { folders, to, signal } = copy;
  const target = join(to, ".git");
  const linked = folders.own !== folders.common;
  await mkdir(target);
  const take = async (from: string, leave: (name: RawPath) => boolean) => {
    const names = namesIn(from, "") ?? [];
    const kept = names.filter((name) => !leftBehind.test(name) && !leave(name));
    return copyInto({ from, to: target, links: "follow", signal }, "", await entries(from, kept));
  };
  const failed = await take(folders.common, (name) => linked && ofMainOnly.test(name));
  if (linked) failed.push(...(await take(folders.own, (name) => ofLinkedOnly.test(name))));
  await anchorConfig(target, linked);
  await anchorAlternates(folders, target);
  await verify(to);
  return failed.map((path) => `.git/${path}`);
}

/** Sockets stand in git's folder too. */
async function entries(from: string, names: readonly RawPath[]): Promise<RawPath[]> {
  const kinds = await Promise.all(names.map((name) => lstat(pathBytes(from, name))));
  return names.filter((_, index) => {
    const kind = kinds[index];
    return kind?.isFile() || kind?.isDirectory() || kind?.isSymbolicLink();
  });
}

/** The configuration may name the original's work tree, or none when the main repository is bare. */
async function anchorConfig(target: string, linked: boolean): Promise<void> {
  for (const name of ["config", "config.worktree"]) {
    const file = join(target, name);
    if ((await lstat(file).catch(() => null)) === null) continue;
    const set = (...args: string[]) => configure(file, args);
    await set("--unset-all", "core.worktree");
    if (linked && name === "config") await set("core.bare", "false");
  }
}

/** From a folder that is in no repository: in one that is being made, git would look and fail. */
async function configure(file: string, args: readonly string[]): Promise<void> {
  await hostGit(["config", "--file", file, ...args], { cwd: "/" });
}

/** Borrowed object folders that are named relative to the original's. */
async function anchorAlternates({ common }: GitFolders, target: string): Promise<void> {
  const file = join(target, "objects/info/alternates");
  const text = await readFile(file, "latin1").catch(() => null);
  if (text === null) return;
  const anchored = text.replaceAll(/^(?![/#"]).+$/gm, (path) => resolve(common, "objects", path));
  await rm(file, { force: true });
  await writeFile(file, anchored, "latin1");
}

async function verify(to: string): Promise<void> {
  const expected = join(await realpath(to), ".git");
  const found = await hostGit(["rev-parse", "--absolute-git-dir"], { cwd: to });
  const path = found.stdout.toString("utf8").replace(/\n$/, "");
  if (found.exitCode !== 0 || path === expected) return;
  throw new PmcoderError(
    "internal",
    `The copy in ${to} should be a git repository of its own, but git works in ${path} there.`,
  );
}

/**
 * Makes the `.git` files below the top lead into the copy: those of submodules are rewritten, and
 * those that lead elsewhere, as a linked work tree's does, are removed and returned.
 */
export async function anchorPointers(
  copy: GitCopy,
  pointers: readonly RawPath[],
): Promise<Omission[]> {
  const removed: Omission[] = [];
  for (const pointer of pointers) {
    const target = await targetInCopy(copy, pointer);
    const file = pathBytes(copy.to, pointer);
    await rm(file, { force: true });
    if (target === null) {
      removed.push({ path: showPath(pointer), reason: "its git directory is elsewhere" });
      continue;
    }
    const folder = dirname(join(copy.to, showPath(pointer)));
    await writeFile(file, `gitdir: ${relative(folder, target)}\n`);
    await configure(join(target, "config"), ["core.worktree", relative(target, folder)]);
  }
  return removed;
}

/** The git directory in the copy that stands for the one which a `.git` file names, or null. */
async function targetInCopy(
  { top, folders, to }: GitCopy,
  pointer: RawPath,
): Promise<string | null> {
  const file = join(top, showPath(pointer));
  if (!(await lstat(file).catch(() => null))?.isFile()) return null;
  const named = /^gitdir: (.+)$/m.exec(await readFile(file, "utf8"))?.[1];
  const target = named && (await realpath(resolve(dirname(file), named)).catch(() => null));
  if (!target) return null;
  const places = [
    [folders.own, join(to, ".git")],
    [folders.common, join(to, ".git")],
    [top, to],
  ] as const;
  for (const [from, into] of places) {
    const path = relative(from, target);
    if (path.startsWith("..") || path === "") continue;
    return /(?:^|\/)worktrees\//.test(path) ? null : join(into, path);
  }
  return null;
}
