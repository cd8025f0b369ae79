/** Whether a commit was shown to the model before, by an ordinary look at the history of HEAD. */
export type IsShown = (commit: string) => boolean;

/** Options of git itself that take the next word. */
const takers = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"];

const walks = "log rev-list shortlog whatchanged show show-branch";
const looks = "diff cat-file ls-tree grep blame annotate archive format-patch range-diff cherry";
const takes = "checkout switch restore reset merge rebase cherry-pick branch worktree read-tree";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const walkers = setOf(walks);
/** Verbs whose operands may be revisions. */
const readers = setOf(`${walks} ${looks} ${takes} rev-parse difftool revert apply bundle`);

/** Options with which a walk starts at more than HEAD. */
const wide =
  /^(?:--(?:all|branches|remotes|tags|glob|reflog|walk-reflogs|alternate-refs)(?:=|$)|-[a-z]*g$)/;

/** What a git call looked at beyond its base; `words` start at `git`. Null: nothing. */
export function gitPeek(words: readonly string[], isShown: IsShown): string | null {
  let start = 1;
  while (words[start]?.startsWith("-")) start += takers.includes(words[start] ?? "") ? 2 : 1;
  const verb = words[start] ?? "";
  const args = words.slice(start + 1);
  const peek = verbPeek(verb, args);
  if (peek !== null || !readers.has(verb)) return peek;
  return revisionPeek(verb === "grep" ? withoutPattern(args) : args, isShown);
}

function withoutPattern(args: readonly string[]): readonly string[] {
  const pattern = args.findIndex((arg) => !arg.startsWith("-"));
  return args.filter((_, at) => at !== pattern);
}

function verbPeek(verb: string, args: readonly string[]): string | null {
  const line = ["git", verb, ...args.slice(0, 1)].join(" ");
  if (walkers.has(verb)) {
    const option = args.find((arg) => wide.test(arg));
    return option === undefined
      ? null
      : `walks history that HEAD does not reach: git ${verb} ${option}`;
  }
  if (verb === "reflog") return `reads the reflog: ${line}`;
  const isUnreached =
    verb === "fsck" || verb === "verify-pack" || args.includes("--batch-all-objects");
  if (isUnreached) return `lists objects that no history reaches: git ${verb}`;
  return isFetch(verb, args) ? `fetches from another repository: git ${verb}` : null;
}

function isFetch(verb: string, args: readonly string[]): boolean {
  if (verb === "remote") return args[0] === "update";
  const operands = args.filter((arg) => !arg.startsWith("-"));
  // The first operand is the other repository; a folder of this machine is no news.
  if (verb === "clone") return operands.some(isRemote);
  if (verb !== "fetch" && verb !== "pull" && verb !== "ls-remote") return false;
  return operands[0] === undefined || !/^[./]/.test(operands[0]);
}

const isRemote = (text: string) => /^[a-z+]+:\/\/(?!\/)|^(?:\w+@)?[\w.-]+:(?!\/\/)\S/.test(text);

function revisionPeek(args: readonly string[], isShown: IsShown): string | null {
  const dashes = args.indexOf("--");
  const named = (dashes === -1 ? args : args.slice(0, dashes)).flatMap(revisionsIn);
  for (const revision of named) {
    if (isFuture(revision)) return `names what was fetched from a remote: ${revision}`;
    if (/(?<!^stash)@\{-?\w/.test(revision)) return `reads the reflog: ${revision}`;
    if (isCommit(revision) && !isShown(revision)) {
      return `names a commit that nothing had shown: ${revision}`;
    }
  }
  return null;
}

/** The revisions of an argument: both ends of a range, without what follows (`~2`, `:path`). */
function revisionsIn(arg: string): readonly string[] {
  const value = arg.startsWith("-") ? (/^--source=(.+)$/.exec(arg)?.[1] ?? "") : arg;
  return value.split(/\.{2,3}/).flatMap((end) => /^\^?([^~^:]+)/.exec(end)?.[1] ?? []);
}

const isFuture = (revision: string) =>
  /^(?:refs\/)?(?:remotes\/)?(?:origin|upstream)(?:\/.|$)|^refs\/(?:remotes|pull)\/|^FETCH_HEAD$|@\{(?:u|upstream|push)\}$/.test(
    revision,
  );

/** Hexadecimal digits enough for a commit's name, and not a number or a word of that look. */
function isCommit(revision: string): boolean {
  if (!/^[0-9a-f]{7,64}$/.test(revision)) return false;
  return revision.length >= 12 || (/\d/.test(revision) && /[a-f]/.test(revision));
}
