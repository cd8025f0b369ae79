import type { Environment } from "../../domain/environment.ts";
import { isScratch, toolFolderOf } from "../../domain/scratch.ts";
import { type Base, runOnBase } from "./base.ts";
import { changedPaths } from "./headers.ts";
import { showPath } from "./paths.ts";
import { writeBytes } from "./script.ts";
import { listChanges, stageScript } from "./stage.ts";

export interface Snapshot {
  /** Name of the tree, scratch files included. */
  readonly tree: string;
  /** Against the base, in git's format; empty when nothing is changed. */
  readonly patch: Uint8Array;
}

/**
 * The repository as it stands, with the scratch files that a patch leaves out, because the agent
 * still needs them. null when it is the `known` tree.
 */
export async function takeSnapshot(
  environment: Environment,
  base: Base,
  { maxFileBytes, known }: { readonly maxFileBytes: number; readonly known: string },
): Promise<Snapshot | null> {
  await listChanges(environment, base, {
    maxFileBytes,
    leavesOut: (path) => toolFolderOf(path) !== null,
  });
  const script = `${stageScript}
printf %s "$now" > "$HOME/now"
[ "$now" = ${known} ] && exit 0
git diff-tree -r -p --binary --full-index --no-renames --no-color --no-ext-diff --no-textconv \\
  ${base.tree} "$now" > "$HOME/snapshot"`;
  await runOnBase(environment, base, script, { task: "save the work", expected: [0] });
  const tree = Buffer.from(await environment.read(`${base.store}/now`)).toString("latin1");
  if (tree === known) return null;
  return { tree, patch: await environment.read(`${base.store}/snapshot`) };
}

/**
 * Brings an untouched repository to a saved state. Rejects with PmcoderError `internal` when the
 * patch does not apply.
 */
export async function laySnapshot(
  environment: Environment,
  base: Base,
  patch: Uint8Array,
): Promise<void> {
  if (patch.length === 0) return;
  await writeBytes(environment, `${base.store}/snapshot`, patch);
  const script = `git apply --whitespace=nowarn "$HOME/snapshot"`;
  await runOnBase(environment, base, script, { task: "lay the saved work", expected: [0] });
}

/** A saved state as a patch to submit: without the scratch files that it made. */
export function withoutScratch(patch: Uint8Array): Uint8Array {
  const text = Buffer.from(patch).toString("latin1");
  const sections = text === "" ? [] : text.split(/(?<=\n)(?=diff --git )/);
  const kept = sections.filter((section) => !makesScratch(Buffer.from(section, "latin1")));
  return Buffer.from(kept.join(""), "latin1");
}

function makesScratch(section: Uint8Array): boolean {
  const head = Buffer.from(section).toString("latin1").split("\n", 3);
  if (!head.some((line) => line.startsWith("new file mode "))) return false;
  return changedPaths(section).map(showPath).some(isScratch);
}
