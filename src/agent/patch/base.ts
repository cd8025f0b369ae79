import type { CommandResult, Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { BaseRecord } from "../../domain/site.ts";
import { showPath, splitRecords } from "./paths.ts";
import { printed, quote, runScript, unsetGit } from "./script.ts";
import { snapshotScript, status } from "./snapshot-script.ts";

/**
 * The tree of a repository as it stood when the run began, uncommitted and untracked work included,
 * kept in a private git directory that lies in the environment but outside the repository, with
 * objects of its own: whatever becomes of the repository's `.git`, the patch can be taken.
 * Plain data.
 */
export interface Base {
  /** Object name of the tree; it is in the private directory only. */
  readonly tree: string;
  /** HEAD's commit, null on a branch without one. */
  readonly commit: string | null;
  /** Absolute path of the top of the work tree, as commands see it. */
  readonly top: string;
  /** Absolute path of the folder that holds the private git directory and its lists. */
  readonly store: string;
  /** The files of the tree, relative to `top`, sorted as git sorts them. */
  readonly files: readonly string[];
}

/**
 * Takes the base of a run. The repository's index, HEAD, refs, stash and reflog stay untouched;
 * its work tree is read once. Throws PmcoderError `usage` when the environment has no git, no
 * folder to write to, or no repository at `workdir`; where none is wanted, an empty one stands for it.
 */
export async function snapshotBase(
  environment: Environment,
  wantsRepository = true,
): Promise<Base> {
  const script = snapshotScript(environment.records, wantsRepository);
  const result = await runScript(environment, script, {
    task: `record the state of ${environment.workdir}`,
    expected: [0, status.noGit, status.noFolder, status.noRepository],
  });
  refuse(environment, result);
  const [tree = "", commit = "", top = "", store = ""] = resultFields(result);
  const files = splitRecords(await environment.read(`${store}/files`)).map(showPath);
  return { tree, commit: commit === "-" ? null : commit, top, store, files };
}

/** The four fields at the end of the output; what a start-up file printed stands before them. */
function resultFields({ output }: CommandResult): string[] {
  const text = Buffer.concat([output.head, output.tail]).toString("utf8");
  return text.split("\0").slice(-4);
}

function refuse({ workdir }: Environment, result: CommandResult): void {
  if (result.exitCode === status.noGit) {
    throw new PmcoderError(
      "usage",
      "git was not found where the commands run: install it there, or take an image that has it.",
    );
  }
  if (result.exitCode === status.noFolder) {
    throw new PmcoderError(
      "usage",
      "Neither /var/tmp nor the temporary folder can be written to where the commands run: free some space there, or set TMPDIR to a folder that can.",
    );
  }
  if (result.exitCode === status.noRepository) {
    throw new PmcoderError(
      "usage",
      `${workdir} is not a git repository with a work tree${printed(result)} Name another with --repo, or make one there with \`git init\`.`,
    );
  }
}

/**
 * The first lines of every script that works on a base: git sees the private directory and the
 * work tree, and none of the variables or settings that the repository or the agent may have set.
 */
function preludeOf({ top, store }: Base): string {
  return `${unsetGit}
unset XDG_CONFIG_HOME
export LC_ALL=C HOME=${quote(store)} GIT_DIR=${quote(`${store}/repository`)} GIT_WORK_TREE=${quote(top)}
[ -f "$GIT_DIR/index" ] || exit ${status.noBase}
cd "$GIT_WORK_TREE" || exit ${status.gone}
`;
}

/**
 * Runs a script on a base, after its prelude. Throws PmcoderError `environment_lost` when the work
 * tree or the private directory is gone.
 */
export async function runOnBase(
  environment: Environment,
  base: Base,
  script: string,
  { task, expected }: { readonly task: string; readonly expected: readonly number[] },
): Promise<CommandResult> {
  const result = await runScript(environment, preludeOf(base) + script, {
    task,
    expected: [...expected, status.gone, status.noBase],
  });
  if (result.exitCode === status.gone) {
    throw new PmcoderError("environment_lost", `The repository's folder ${base.top} is gone.`);
  }
  if (result.exitCode === status.noBase) {
    throw new PmcoderError(
      "environment_lost",
      `The record of the starting state in ${base.store} is gone, so the changes cannot be told.`,
    );
  }
  return result;
}

/**
 * A base that an earlier process of the run took, in an environment that is still the same. Throws
 * PmcoderError `environment_lost` when it is gone.
 */
export async function reopenBase(
  environment: Environment,
  { tree, commit, store }: BaseRecord,
): Promise<Base> {
  const read = async (name: string) => {
    try {
      return await environment.read(`${store}/${name}`);
    } catch (cause) {
      throw new PmcoderError(
        "environment_lost",
        `The record of the starting state in ${store} is gone, so the changes cannot be told.`,
        { cause },
      );
    }
  };
  const top = Buffer.from(await read("top")).toString("utf8");
  return { tree, commit, top, store, files: splitRecords(await read("files")).map(showPath) };
}

/** Removes the private directory; the work tree stays. For an environment that outlives its run. */
export async function forgetBase(environment: Environment, { store }: Base): Promise<void> {
  await runScript(environment, `rm -rf ${quote(store)}`, {
    task: `remove ${store}`,
    expected: [0],
  });
}
