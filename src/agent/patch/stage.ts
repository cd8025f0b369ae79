import type { Environment } from "../../domain/environment.ts";
import { isScratch } from "../../domain/scratch.ts";
import { type Base, runOnBase } from "./base.ts";
import { chooseChanges, type LeftOut, type Survey } from "./changes.ts";
import { bytesOf, type RawPath, splitRecords } from "./paths.ts";
import { writeBytes } from "./script.ts";
import { stageFunction } from "./snapshot-script.ts";

export interface ChangeOptions {
  /** A new or changed file larger than this is left out and named. */
  readonly maxFileBytes: number;
  /** Which new files stay out by their path; those named like scratch if not given. */
  readonly leavesOut?: (path: string) => boolean;
}

/**
 * Lists for `stageScript` what of the work tree is the run's work, and returns what is not, each
 * with the reason.
 */
export async function listChanges(
  environment: Environment,
  base: Base,
  { maxFileBytes, leavesOut = isScratch }: ChangeOptions,
): Promise<LeftOut> {
  const survey = await surveyTree(environment, base, maxFileBytes);
  const { include, leftOut } = chooseChanges(survey, leavesOut);
  const list = include.map((path) => `${path}\0`).join("");
  await writeBytes(environment, `${base.store}/include`, bytesOf(list));
  return leftOut;
}

/**
 * The part of a script on a base that brings the listed changes into an index of its own. After it
 * `$now` names the tree of the base with the run's work, and `unreadable` lists what git could not
 * read.
 */
export const stageScript = `${stageFunction}
export GIT_INDEX_FILE="$HOME/index"
cp -p "$GIT_DIR/index" "$GIT_INDEX_FILE" || exit 1
: > "$HOME/unreadable"
stage "$HOME/include" "$HOME/unreadable"
now=$(git write-tree) || exit 1`;

/**
 * The name of the tree that the work tree stands for, scratch and ignored files left out: two equal
 * names are two equal patches, and the base's own name means that nothing is changed.
 */
export async function treeName(
  environment: Environment,
  base: Base,
  options: ChangeOptions,
): Promise<string> {
  await listChanges(environment, base, options);
  const script = `${stageScript}\nprintf %s "$now" > "$HOME/now"`;
  await runOnBase(environment, base, script, { task: "name the tree", expected: [0] });
  return Buffer.from(await environment.read(`${base.store}/now`)).toString("latin1");
}

/** Bytes of the list of ignored files that are looked at; the rest is not named. */
const ignoredListBytes = 65_536;

/**
 * `find` gets its paths with `./` before them, so that no name is taken for an option, and takes
 * sizes without a process a file.
 */
function surveyScript(maxFileBytes: number): string {
  return `lists="$HOME"
dotted() {
  tr '\\000\\n' '\\n\\000' | sed 's|^|./|' | tr '\\000\\n' '\\n\\000'
}
git diff-files -z --name-only --ignore-submodules=all > "$lists/changed" || exit 1
git ls-files -z -o --exclude-standard > "$lists/untracked" || exit 1
cat "$lists/changed" "$lists/untracked" | dotted | xargs -0 sh -c '
  [ $# -eq 0 ] || find "$@" -prune -type f -size +${maxFileBytes}c -print0' sh \\
  > "$lists/large" 2>/dev/null
git ls-files -z -o -i --exclude-standard --directory | dotted | xargs -0 sh -c '
  [ $# -eq 0 ] || find "$@" -name .git -prune -o ! -type d -cnewer "$HOME/started" -print0' sh 2>/dev/null |
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
