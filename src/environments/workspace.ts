import { mkdir, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { anchorPointers, copyGitFolder, type GitFolders, gitFoldersOf } from "./git-folder.ts";
import { gitText, hostGit } from "./host-git.ts";
import { removeFolder } from "./remove-folder.ts";
import { trackedFiles } from "./tracked-files.ts";
import { copyListed, copyWhole } from "./tree-copy.ts";
import {
  type Omission,
  type RawPath,
  showPath,
  surveyTree,
  type TreeSurvey,
} from "./tree-survey.ts";

/** A repository of the user's on this machine. */
export interface Repository {
  /** Absolute path of the top of its work tree, links resolved. */
  readonly top: string;
  /** The folder that was named, relative to `top`; empty for the top itself. */
  readonly sub: string;
}

/**
 * The repository that a folder belongs to. Throws PmcoderError `usage` when the folder is missing
 * or unreadable, is in no work tree, or when git is missing or refuses it.
 */
export async function findRepository(folder: string): Promise<Repository> {
  const path = await readableFolder(folder);
  const inside = await hostGit(["rev-parse", "--is-inside-work-tree"], { cwd: path });
  if (inside.exitCode !== 0) throw refusal(path, inside.stderr.trim());
  if (inside.stdout.toString().trim() !== "true") {
    throw new PmcoderError(
      "usage",
      `${path} is in a git repository without a work tree there (a bare one, or its .git folder): name a folder with checked-out files, or clone the repository first.`,
    );
  }
  const top = await gitText(["rev-parse", "--show-toplevel"], path);
  return { top, sub: relative(top, path) };
}

/** A folder, links resolved. Throws PmcoderError `usage` when it is missing or unreadable. */
export async function readableFolder(folder: string): Promise<string> {
  const refuse = (found: string) => (cause: unknown) => {
    throw new PmcoderError("usage", `${folder} ${found}: name the folder of a git repository.`, {
      cause,
    });
  };
  const path = await realpath(folder).catch(refuse("does not exist or cannot be reached"));
  if (!(await stat(path)).isDirectory()) refuse("is not a folder")(undefined);
  await readdir(path).catch(refuse("cannot be read"));
  return path;
}

function refusal(path: string, said: string): PmcoderError {
  if (said.includes("dubious ownership")) {
    return new PmcoderError(
      "usage",
      `${path} belongs to another user, so git does not trust it. If you do: git config --global --add safe.directory ${path}`,
    );
  }
  if (said.includes("not a git repository")) {
    return new PmcoderError(
      "usage",
      `${path} is not in a git repository. Name another folder with --repo, or make this one a repository: git init`,
    );
  }
  return new PmcoderError("usage", `git cannot use ${path}: ${said}`);
}

/** A copy of a repository, for a run to work in. */
export interface Workspace {
  /** Top of the copy's work tree; it has the name of the original's. */
  readonly top: string;
  /** The folder in it that the user named. */
  readonly workdir: string;
  /** What the copy does not have and why, for the user to know. */
  readonly leftOut: readonly Omission[];
  /** May be called twice. */
  remove(): Promise<void>;
}

export interface CopyOptions {
  readonly repository: Repository;
  /** The folder that will hold the copy; made if missing. */
  readonly into: string;
  /** `full`: everything but pmcoder's own folders. `tracked`: what git tracks or does not ignore. */
  readonly mode: "full" | "tracked";
  /** A full copy larger than this is refused. */
  readonly limitBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a repository's work tree and git folder, so that nothing that is done to the copy reaches
 * the original. Files named `.env*` that git does not track are left out and named: they hold
 * secrets. So are sockets, pipes and what cannot be read. Throws PmcoderError `usage` when a full
 * copy is too large, `storage` when the disk is full.
 */
export async function copyRepository(options: CopyOptions): Promise<Workspace> {
  const { repository, into, signal } = options;
  const { top, sub } = repository;
  const folders = await gitFoldersOf(top);
  const to = join(into, basename(top) || "root");
  const plan = await planCopy(options, folders);
  await mkdir(into, { recursive: true });
  await mkdir(to);
  const remove = () => removeFolder(to);
  try {
    const gitCopy = { top, folders, to, signal };
    const failed = await copyGitFolder(gitCopy);
    const copy = { from: top, to, links: "keep", signal } as const;
    const { listed, omit, pointers } = plan;
    const files = listed?.filter((path) => !omit.has(path));
    failed.push(...(files ? await copyListed(copy, files) : await copyWhole(copy, omit)));
    const removed = await anchorPointers(gitCopy, pointers);
    const lost = failed.map((path) => ({ path, reason: "could not be copied" }));
    const leftOut = [...plan.leftOut, ...removed, ...lost];
    return { top: to, workdir: join(to, sub), leftOut, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface CopyPlan extends Pick<TreeSurvey, "omit" | "pointers"> {
  /** The files to copy in mode `tracked`; null: the whole tree. */
  readonly listed: readonly RawPath[] | null;
  readonly leftOut: readonly Omission[];
}

async function planCopy(options: CopyOptions, { common }: GitFolders): Promise<CopyPlan> {
  const { repository, into, mode, signal } = options;
  const { top } = repository;
  const git = await trackedFiles(top);
  const listed = mode === "tracked" ? [...git.tracked, ...git.untracked] : null;
  const survey = await surveyTree(
    top,
    {
      skip: (path) => path === ".git" || /(?:^|\/)\.pmcoder(?:\/|$)/.test(path),
      tracked: git.tracked,
      limitBytes: listed ? Number.POSITIVE_INFINITY : options.limitBytes,
      signal,
    },
    listed ?? undefined,
  );
  if (!listed) await refuseLarge(options, survey.bytes, common);
  const place = relative(top, resolve(into));
  const ownPlace = place.startsWith("..") ? ".git" : Buffer.from(place).toString("latin1");
  return {
    omit: new Map([...survey.omit, [ownPlace, null]]),
    pointers: survey.pointers,
    listed,
    leftOut: [...told(survey), ...(listed ? git.nested : [])],
  };
}

function told({ omit }: TreeSurvey): Omission[] {
  return [...omit].flatMap(([path, reason]) =>
    reason === null ? [] : [{ path: showPath(path), reason }],
  );
}

async function refuseLarge(
  { repository, limitBytes, signal }: CopyOptions,
  treeBytes: number,
  gitFolder: string,
): Promise<void> {
  const look = { skip: () => false, tracked: new Set<RawPath>(), limitBytes, signal };
  const gitBytes = treeBytes > limitBytes ? 0 : (await surveyTree(gitFolder, look)).bytes;
  if (treeBytes + gitBytes <= limitBytes) return;
  throw new PmcoderError(
    "usage",
    `${repository.top} holds more than ${showSize(limitBytes)}, ignored files included. Copy only what git knows with --copy tracked, or allow more with -c environment.copyLimitBytes=BYTES.`,
  );
}

function showSize(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib < 1024 ? `${mib.toFixed(1)} MiB` : `${(mib / 1024).toFixed(1)} GiB`;
}
