import type { Environment } from "../../domain/environment.ts";
import type { PatchRecord } from "../../domain/episode.ts";
import { applyCheck, verdict } from "./applies.ts";
import { type Base, runOnBase } from "./base.ts";
import { filesOf } from "./headers.ts";
import { showPath, splitRecords } from "./paths.ts";
import { type ChangeOptions, listChanges, stageScript } from "./stage.ts";

/** A patch as bytes, because files need not be text, and what is known of it. */
export interface Patch {
  readonly bytes: Uint8Array;
  readonly record: PatchRecord;
}

/**
 * What the work tree holds beyond the base, as a patch in git's format that `git apply` takes:
 * binary files in full, a move as a deletion and a new file, which every tool that applies patches
 * understands. It does not matter what was done with git meanwhile: only the work tree counts.
 * Left out and named: ignored files, scratch (see `isScratch`), nested repositories, files that are
 * too large or unreadable. Empty if nothing changed; an empty patch applies.
 */
export async function extractPatch(
  environment: Environment,
  base: Base,
  options: ChangeOptions,
): Promise<Patch> {
  const leftOut = await listChanges(environment, base, options);
  const { store } = base;
  const result = await runOnBase(environment, base, diffScript(base), {
    task: "take the patch",
    expected: [verdict.applies, verdict.refused],
  });
  const bytes = await environment.read(`${store}/patch`);
  const unreadable = splitRecords(await environment.read(`${store}/unreadable`));
  return {
    bytes,
    record: {
      source: "extraction",
      bytes: bytes.length,
      files: filesOf(bytes),
      leftOut: [
        ...leftOut,
        ...unreadable.map((raw) => ({ path: showPath(raw), reason: "unreadable" })),
      ],
      applies: result.exitCode === verdict.applies,
    },
  };
}

function diffScript({ tree }: Base): string {
  return `${stageScript}
git diff-tree -r -p --binary --full-index --no-renames --no-color --no-ext-diff --no-textconv \\
  ${tree} "$now" > "$HOME/patch" || exit 1
${applyCheck("patch")}`;
}
