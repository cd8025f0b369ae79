import { readFile, realpath } from "node:fs/promises";
import { changedPaths, filesOf } from "../agent/patch/headers.ts";
import { PmcoderError } from "../domain/errors.ts";
import { plural } from "../domain/quantities.ts";
import { hostGit } from "../environments/host-git.ts";
import { findRepository } from "../environments/workspace.ts";
import { keepFiles, restoreFiles } from "./kept-files.ts";

export interface ApplyOptions {
  readonly patchFile: string;
  /** A folder of the user's repository; the paths of the patch count from its top. */
  readonly repo: string;
  /** Only look. */
  readonly check?: boolean | undefined;
  /** A branch to make at HEAD and to leave the changes on, uncommitted. */
  readonly branch?: string | undefined;
  /** Where the tree has moved on, merge and mark conflicts. */
  readonly threeWay?: boolean | undefined;
}

export interface ApplyOutcome {
  readonly type: "applied" | "would_apply" | "empty" | "refused" | "conflicts";
  /** 1: it does not apply, or not without conflicts. */
  readonly exitCode: 0 | 1;
  readonly files: readonly string[];
  /** For people, without a newline at the end. */
  readonly text: string;
}

/**
 * Applies a run's patch to the user's own tree; nothing is committed. It applies as a whole or not
 * at all; only a three-way merge may leave conflicts, marked. Throws PmcoderError `usage` for a
 * patch file or a repository that is not there and for a branch that cannot be made, `storage` when
 * the tree cannot be written.
 */
export async function applyPatch(options: ApplyOptions): Promise<ApplyOutcome> {
  const { top } = await findRepository(options.repo);
  const patch = await readPatch(options.patchFile);
  if (options.branch !== undefined) await refuseBranch(top, options.branch);
  if (!patch.bytes.some((byte) => byte > 0x20)) {
    return { type: "empty", exitCode: 0, files: [], text: "The patch is empty: nothing to apply." };
  }
  const files = filesOf(patch.bytes);
  const plain = { top, patch, mode: "plain" } as const;
  const plan = (await git(plain, "--check")).exitCode === 0 ? plain : await merging(plain, options);
  if (plan === null) return refused(plain, files, options);
  if (options.check === true) return foretell(plan, files);
  return carryOut(plan, files, options.branch);
}

interface Patch {
  /** Absolute path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

interface Plan {
  readonly top: string;
  readonly patch: Patch;
  readonly mode: "plain" | "merge";
}

async function readPatch(file: string): Promise<Patch> {
  try {
    const path = await realpath(file);
    return { path, bytes: await readFile(path) };
  } catch (cause) {
    throw new PmcoderError("usage", `There is no patch to read at ${file}.`, { cause });
  }
}

async function refuseBranch(top: string, name: string): Promise<void> {
  const named = await hostGit(["check-ref-format", `refs/heads/${name}`], { cwd: top });
  if (named.exitCode !== 0 || name.startsWith("-")) {
    throw new PmcoderError("usage", `"${name}" cannot be the name of a branch: choose another.`);
  }
  const found = await hostGit(["show-ref", "--verify", "-q", `refs/heads/${name}`], { cwd: top });
  if (found.exitCode !== 0) return;
  throw new PmcoderError(
    "usage",
    `The branch ${name} exists already: choose another name, or leave --branch out to apply to the tree as it stands.`,
  );
}

/** The user's own settings for applying would change what is written, so they are set here. */
function git({ top, patch, mode }: Plan, ...args: readonly string[]) {
  const merge = mode === "merge" ? ["--3way"] : [];
  const fixed = ["--whitespace=nowarn", "--no-ignore-whitespace", ...merge];
  return hostGit(["apply", ...fixed, ...args, patch.path], { cwd: top });
}

/** The plan of a three-way merge, if one was asked for and git can make it. */
async function merging(plain: Plan, { threeWay }: ApplyOptions): Promise<Plan | null> {
  if (threeWay !== true) return null;
  const plan = { ...plain, mode: "merge" } as const;
  return (await git(plan, "--check")).exitCode === 0 ? plan : null;
}

/** Files that git names as left with conflicts, in either of its two ways. */
function conflictsIn(stderr: string): string[] {
  const named = stderr.matchAll(/^(?:U (.+)|Applied patch to '(.+)' with conflicts\.)$/gm);
  return [...new Set([...named].map((match) => match[1] ?? match[2] ?? ""))];
}

async function refused(
  plain: Plan,
  files: readonly string[],
  { threeWay }: ApplyOptions,
): Promise<ApplyOutcome> {
  const { top } = plain;
  const outcome = { type: "refused", exitCode: 1, files } as const;
  if ((await git(plain, "-R", "--check")).exitCode === 0) {
    return { ...outcome, text: `The patch is applied in ${top} already; nothing was changed.` };
  }
  const mode = threeWay === true ? "merge" : "plain";
  const { stderr } = await git({ ...plain, mode }, "--check");
  const reasons = stderr.split("\n").filter((line) => line.startsWith("error: "));
  const advice =
    threeWay === true
      ? "A merge needs the files as committed: commit or stash your changes to them and try again."
      : "Where the tree has moved on, --three-way merges and marks conflicts.";
  return {
    ...outcome,
    text: [
      `The patch does not apply to ${top}; nothing was changed.`,
      ...reasons.slice(0, 5).map((line) => `  ${line.slice(7)}`),
      advice,
    ].join("\n"),
  };
}

async function foretell(plan: Plan, files: readonly string[]): Promise<ApplyOutcome> {
  const conflicts = plan.mode === "merge" ? conflictsIn((await git(plan, "--check")).stderr) : [];
  const changes = await listChanges(plan);
  if (conflicts.length === 0) {
    const text = `The patch applies to ${plan.top}; it would change ${plural(files.length, "file")}:\n${changes}`;
    return { type: "would_apply", exitCode: 0, files, text };
  }
  const text = `The patch would apply to ${plan.top} with conflicts in ${conflicts.join(", ")}; it would change ${plural(files.length, "file")}:\n${changes}`;
  return { type: "conflicts", exitCode: 1, files, text };
}

/** Longest list of files shown. Our choice: a screen. */
const shownFiles = 30;

async function listChanges(plan: Plan): Promise<string> {
  const { stdout } = await git({ ...plan, mode: "plain" }, "--numstat", "-z");
  const rows = stdout.toString("utf8").split("\0").filter(Boolean);
  const lines = rows.slice(0, shownFiles).map((row) => {
    const [added = "", removed = "", path = ""] = row.split("\t");
    return added === "-" ? `  ${path}  binary` : `  ${path}  +${added} -${removed}`;
  });
  const rest = rows.length - lines.length;
  return [...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])].join("\n");
}

async function carryOut(
  plan: Plan,
  files: readonly string[],
  branch: string | undefined,
): Promise<ApplyOutcome> {
  const { top } = plan;
  const originals = await keepFiles(top, changedPaths(plan.patch.bytes));
  const leave = branch === undefined ? null : await enterBranch(top, branch);
  const { exitCode, stderr } = await git(plan);
  const conflicts = conflictsIn(stderr);
  if (exitCode !== 0 && conflicts.length === 0) {
    await restoreFiles(originals);
    await leave?.();
    throw new PmcoderError(
      "storage",
      `The patch fits ${top} but could not be written; the tree is as it was. ${stderr.trim()}`,
    );
  }
  const where = branch === undefined ? top : `${top} on the new branch ${branch}`;
  const changes = await listChanges(plan);
  const head = `Applied to ${where}, not committed: ${plural(files.length, "file")}.\n${changes}`;
  if (conflicts.length === 0) return { type: "applied", exitCode: 0, files, text: head };
  const text = `${head}\nResolve the conflicts marked in ${conflicts.join(", ")}.`;
  return { type: "conflicts", exitCode: 1, files, text };
}

/** Makes the branch at HEAD and goes to it, the tree as it is. Returns the way back. */
async function enterBranch(top: string, branch: string): Promise<() => Promise<void>> {
  const run = (...args: string[]) =>
    hostGit(["-c", "core.hooksPath=/dev/null", ...args], { cwd: top });
  const ref = await run("symbolic-ref", "-q", "HEAD");
  const before = ref.exitCode === 0 ? ref : await run("rev-parse", "HEAD");
  const name = before.stdout.toString("utf8").trim();
  const made = await run("checkout", "-q", "-b", branch);
  if (made.exitCode !== 0) {
    throw new PmcoderError("usage", `The branch ${branch} cannot be made: ${made.stderr.trim()}`);
  }
  return async () => {
    if (ref.exitCode === 0) await run("symbolic-ref", "HEAD", name);
    else await run("update-ref", "--no-deref", "HEAD", name);
    await run("branch", "-q", "-D", branch);
  };
}
