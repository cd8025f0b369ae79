import type { SegmentClass } from "./action.ts";
import { move, removeFiles } from "./file-verbs.ts";
import {
  type Call,
  changes,
  type Effect,
  locate,
  type Meaning,
  meaning,
  reads,
  within,
} from "./meaning.ts";
import { type Operand, type Options, parseOptions } from "./options.ts";
import { applyPatch } from "./patch.ts";
import { looksLikePath } from "./paths.ts";
import type { Word } from "./words.ts";

const revertOf = (path: string): Effect => ({ kind: "revert", path });
const editOf = (path: string): Effect => ({ kind: "edit", path });
const removeOf = (path: string): Effect => ({ kind: "delete", path });

/** One verb's arguments: `call.words` starts at the verb. */
interface Verb {
  readonly call: Call;
  readonly options: Options;
  /** Operands after `--`, or null without one. */
  readonly after: readonly Operand[] | null;
}

type Reader = (verb: Verb) => Meaning;

/** Looks at files: those after `--`, else the operands that look like paths. */
const looks =
  (kind: SegmentClass): Reader =>
  ({ call, options, after }) =>
    reads(call, kind, after ?? options.operands.filter(({ word }) => isPathWord(call, word)));

const setup: Reader = () => meaning("setup");

/** `git grep PATTERN [PATH…]`. */
const grep: Reader = ({ call, options, after }) =>
  reads(call, "inspect", after ?? options.operands.slice(options.flags.has("e") ? 0 : 1));

const log: Reader = (verb) => looks(isSearch(verb.options) ? "history" : "inspect")(verb);

const reset: Reader = ({ call, options }) =>
  options.flags.has("hard") ? revertAll(call) : meaning("setup");

const remove: Reader = ({ call, options }) =>
  options.flags.has("cached") ? meaning("setup") : removeFiles(call);

const verbs: Readonly<Record<string, Reader>> = {
  ...table(looks("review"), "diff status"),
  ...table(looks("history"), "blame annotate bisect"),
  ...table(looks("inspect"), "ls-files ls-tree rev-parse cat-file describe rev-list shortlog help"),
  ...table(setup, "add commit config branch fetch switch tag remote init clone pull push merge"),
  ...table(setup, "rebase cherry-pick submodule worktree notes gc update-index"),
  log,
  grep,
  show,
  checkout,
  restore,
  reset,
  clean,
  stash,
  revert: ({ call }) => revertAll(call),
  mv: ({ call }) => move(call),
  rm: remove,
  apply: ({ call, options }) => applyPatch(call, options),
  am: ({ call, options }) => applyPatch(call, options),
};

function table(reader: Reader, names: string): Record<string, Reader> {
  return Object.fromEntries(names.split(" ").map((name) => [name, reader]));
}

const globalTakers = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];
const verbSpec =
  "m e b B o n p S? G? L U? A B C max-count author since until format pretty source directory";

/** Reads a git call; the verb decides. */
export function git(call: Call): Meaning {
  let start = 1;
  let cwd: Word | undefined;
  for (let text = call.words[start]?.text; text?.startsWith("-"); text = call.words[start]?.text) {
    if (text === "-C") cwd = call.words[start + 1];
    start += globalTakers.includes(text) ? 2 : 1;
  }
  const words = call.words.slice(start);
  const verb = words[0]?.text ?? "";
  const reader = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!reader) return meaning("other");
  const options = parseOptions(words, verbSpec);
  const dashes = words.findIndex((word) => word.text === "--");
  const after = dashes > 0 ? options.operands.filter(({ index }) => index > dashes) : null;
  const result = reader({
    call: { ...call, words, place: within(call.place, cwd) },
    options,
    after,
  });
  return { ...result, paths: result.paths.map((index) => index + start) };
}

/** These look for a change in the past rather than at its list. */
function isSearch({ flags }: Options): boolean {
  return ["S", "G", "L", "grep"].some((name) => flags.has(name));
}

/** A word that may be a revision or a path is a path when known, or when it looks like a file. */
function isPathWord({ place }: Call, word: Word): boolean {
  const path = locate(place, word).paths[0];
  if (path === undefined) return false;
  if (place.ledger.exists(path) || place.ledger.isFolder(path)) return true;
  if (place.ledger.hasListing || /[~^:]/.test(word.text)) return false;
  return looksLikePath(word.text) && /\.[A-Za-z]\w*$/.test(word.text);
}

/** `git show REV:F` reads that file as it was; the word is no path of its own. */
function show(verb: Verb): Meaning {
  const named = verb.options.operands.flatMap(({ word, index }) => {
    const path = /^[^:]*:(.+)$/.exec(word.text)?.[1];
    return path === undefined ? [] : [{ word: { text: path, values: [path] }, index }];
  });
  if (named.length === 0) return looks("inspect")(verb);
  return { ...reads(verb.call, "inspect", named), paths: [] };
}

function revertFiles(call: Call, operands: readonly Operand[]): Meaning {
  const isAll = operands.some(({ word }) => /^(?:\.|:\/|\*)$/.test(word.text));
  if (isAll || operands.length === 0) return revertAll(call);
  return { ...changes(call, operands, revertOf), class: "revert" };
}

/** Every file that differs: which, only the episode's own edits tell. */
function revertAll(call: Call): Meaning {
  const dirty = call.place.ledger.dirty("tracked");
  return meaning("revert", { effects: dirty.map(revertOf), unresolved: dirty.length === 0 });
}

function restore({ call, options: { flags, operands }, after }: Verb): Meaning {
  const isIndexOnly = (flags.has("staged") || flags.has("S")) && !flags.has("worktree");
  return isIndexOnly && !flags.has("W") ? meaning("setup") : revertFiles(call, after ?? operands);
}

function checkout({ call, options: { flags, operands }, after }: Verb): Meaning {
  if (after) return revertFiles(call, after);
  if (["b", "B", "orphan", "t", "track"].some((name) => flags.has(name))) return meaning("setup");
  const [first, ...rest] = operands;
  if (!first) return flags.has("f") ? revertAll(call) : meaning("setup");
  if (first.word.text === "." || isPathWord(call, first.word)) return revertFiles(call, operands);
  return rest.length > 0 ? revertFiles(call, rest) : meaning("setup");
}

/** Removes files that the episode made. */
function clean({ call, options: { flags, operands } }: Verb): Meaning {
  if (!flags.has("f") && !flags.has("force")) return meaning("review");
  if (operands.length > 0) return { ...changes(call, operands, removeOf), class: "revert" };
  const made = call.place.ledger.dirty("new");
  return meaning("revert", { effects: made.map(removeOf), unresolved: made.length === 0 });
}

function stash({ call, options: { operands } }: Verb): Meaning {
  const [verb, ...rest] = operands;
  const name = verb?.word.text ?? "push";
  if (name === "list" || name === "show") return meaning("inspect");
  if (name === "drop" || name === "clear") return meaning("setup", { stash: "pop" });
  if (name === "pop" || name === "apply") {
    const files = call.place.ledger.lastStash();
    const effects = files.map(editOf);
    const unresolved = files.length === 0;
    return meaning("edit", { effects, unresolved, ...(name === "pop" && { stash: name }) });
  }
  const reverted = revertFiles(call, name === "push" ? rest : []);
  return { ...reverted, stash: "push" };
}
