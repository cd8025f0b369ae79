import type { Environment } from "../../domain/environment.ts";
import type { PatchRecord } from "../../domain/episode.ts";
import { applyCheck, verdict } from "./applies.ts";
import { type Base, runOnBase } from "./base.ts";
import { chooseChanges, type Survey } from "./changes.ts";
import { filesOf } from "./headers.ts";
import { bytesOf, type RawPath, showPath, splitRecords } from "./paths.ts";
import { writeBytes } from "./script.ts";
import { stageFunction } from "./snapshot-script.ts";

/** A patch as bytes, because files need not be text, and what is known of it. */
export interface Patch {
  readonly bytes: Uint8Array;
  readonly record: PatchRecord;
}

export interface ExtractOptions {
  /** A new or changed file larger than this is left out and named. */
  readonly maxFileBytes: number;
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
  { maxFileBytes }: ExtractOptions,
): Promise<Patch> {
  const survey = await surveyTree(environment, base, maxFileBytes);
  const { include, leftOut } = chooseChanges(survey);
  const { store } = base;
  await writeBytes(
    environment,
    `${store}/include`,
    bytesOf(include.map((path) => `${path}\0`).join("")),
  );
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

/** Bytes of the list of ignored files that are looked at; the rest is not named. */
const ignoredListBytes = 65_536;

/**
 * `find` gets its paths with `./` before them, so that no name is taken for an option, and takes
 * sizes without a process a file.
 */
function surveyScript(maxFileBytes: number): string {
  return `lists="$HOME"
git diff-files -z --name-only --ignore-submodules=all > "$lists/changed" || exit 1
git ls-files -z -o --exclude-standard > "$lists/untracked" || exit 1
cat "$lists/changed" "$lists/untracked" | xargs -0 bash -c '
  [ $# -eq 0 ] || find "\${@/#/./}" -prune -type f -size +${maxFileBytes}c -print0' bash \\
  > "$lists/large" 2>/dev/null
git ls-files -z -o -i --exclude-standard --directory | xargs -0 bash -c '
  [ $# -eq 0 ] || find "\${@/#/./}" -name .git -prune -o ! -type d -cnewer "$HOME/started" -print0' bash 2>/dev/null |
  head -c ${ignoredListBytes} > "$lists/ignored-now"
exit 0`;
}

async function surveyTree(
  environment: Environment,
  base: Base,
  maxFileBytes: number,
): Promise<Survey> {
  await runOnBase(environment, base, surveyScript(maxFileBytes), {
    task: "compare the work tree with its state at the start",
    expected: [0],
  });
  const list = async (name: string) =>
    splitRecords(await environment.read(`${base.store}/${name}`));
  const changed = await list("changed");
  const untracked = await list("untracked");
  const rulesChanged = [...changed, ...untracked].some((raw) => /(?:^|\/)\.gitignore$/.test(raw));
  return {
    changed,
    untracked,
    large: new Set((await list("large")).map(withoutDot)),
    unbased: await list("unbased"),
    ignoredBefore: new Set(rulesChanged ? await list("ignored") : []),
    ignoredNow: (await list("ignored-now")).map(withoutDot),
  };
}

const withoutDot = (raw: RawPath): RawPath => raw.replace(/^\.\//, "");

function diffScript({ tree }: Base): string {
  return `${stageFunction}
export GIT_INDEX_FILE="$HOME/index"
cp -p "$GIT_DIR/index" "$GIT_INDEX_FILE" || exit 1
: > "$HOME/unreadable"
stage "$HOME/include" "$HOME/unreadable"
now=$(git write-tree) || exit 1
git diff-tree -r -p --binary --full-index --no-renames --no-color --no-ext-diff --no-textconv \\
  ${tree} "$now" > "$HOME/patch" || exit 1
${applyCheck("patch")}`;
}
