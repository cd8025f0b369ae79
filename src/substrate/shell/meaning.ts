import type { LineRange, SegmentClass } from "./action.ts";
import type { Ledger } from "./memory.ts";
import type { Operand } from "./options.ts";
import { absolutePath, isExternal, isScratchGlob, matchesGlob, resolvePath } from "./paths.ts";
import { narrow, type Selection } from "./ranges.ts";
import type { Word } from "./words.ts";

/** A program with its arguments, and where it runs. */
export interface Call {
  /** Name of the program without its folder. */
  readonly head: string;
  /** The head as written, then the arguments. */
  readonly words: readonly Word[];
  /** What the text tells of its standard input: a here-document, a known file, an echo; or null. */
  readonly stdin: string | null;
  readonly place: Place;
}

export interface Place {
  readonly root: string;
  /** Absolute; null: a `cd` went where the text does not tell. */
  readonly cwd: string | null;
  readonly ledger: Ledger;
}

export type Effect =
  | { readonly kind: "read"; readonly path: string; readonly lines: readonly LineRange[] }
  /** `edit` needs the file to be there; `write` creates or overwrites it. */
  | { readonly kind: "edit" | "write" | "delete" | "revert"; readonly path: string };

/** What a call does, before its redirects are looked at. */
export interface Meaning {
  readonly class: SegmentClass;
  readonly effects: readonly Effect[];
  /** Places of the words that are paths. */
  readonly paths: readonly number[];
  /** It changes files that the text does not name. */
  readonly unresolved: boolean;
  readonly targets?: readonly string[];
  readonly script?: string;
  /** Which lines of its input or its file it shows. */
  readonly selection?: Selection;
  /** Files that it copies its input to, besides redirects (`tee`). */
  readonly sinks?: readonly Sink[];
  /** Files whose content another file takes over. */
  readonly copies?: readonly { readonly from: string; readonly to: string }[];
  /** The file that an editor goes on with. */
  readonly opens?: string;
  /** Folders that it makes. */
  readonly folders?: readonly string[];
  /** It sets the files of its effects aside, or drops the newest stash. */
  readonly stash?: "push" | "pop";
  /** What it surely prints. */
  readonly prints?: string;
  /** Further calls that it makes (`find -exec`). */
  readonly runs?: readonly (readonly Word[])[];
  /** A shell text that it runs. */
  readonly text?: string;
  /** The program that it really is, where the head only starts it (`python -m pytest`). */
  readonly program?: string;
  /** It is another program's call, which starts at word `shift`. */
  readonly instead?: { readonly words: readonly Word[]; readonly shift: number };
}

/** A file that output goes to. */
export interface Sink {
  readonly word: Word;
  readonly appends: boolean;
}

export function meaning(kind: SegmentClass, more: Partial<Meaning> = {}): Meaning {
  return { class: kind, effects: [], paths: [], unresolved: false, ...more };
}

interface Located {
  readonly paths: readonly string[];
  /** It may name more files, inside the repository as far as the text tells. */
  readonly open: boolean;
}

const openCharacter = /[$*?[{`]/;

/** The paths that a word names; open ones that lie outside the root whatever they are name none. */
export function locate(place: Place, word: Word): Located {
  if (word.values.length > 0) {
    const paths = word.values.map((value) => resolvePath(place.root, place.cwd, value));
    const known = paths.filter((path) => path !== null);
    return { paths: known, open: known.length < paths.length };
  }
  const leading = word.text.slice(0, Math.max(0, word.text.search(openCharacter)));
  const folder = leading.slice(0, leading.lastIndexOf("/") + 1);
  const path = resolvePath(place.root, place.cwd, folder);
  return { paths: [], open: path === null || !isExternal(path) };
}

/** The place after `-C FOLDER`; without a folder the place itself. */
export function within(place: Place, folder: Word | undefined): Place {
  if (!folder) return place;
  const path = locate(place, folder).paths[0];
  return { ...place, cwd: path === undefined ? null : absolutePath(place.root, path) };
}

/** Files that one segment names at most. Our choice: memory must not grow with a command's length. */
const maxFiles = 200;

/** The one path that a word names, or null. */
export function locateOne(place: Place, word: Word | undefined): string | null {
  return (word && locate(place, word).paths[0]) ?? null;
}

/** What happens to each of these operands: effects, path words, and whether some stay unknown. */
function onFiles(
  call: Call,
  operands: readonly Operand[],
  effect: (path: string) => Effect | readonly Effect[],
): Pick<Meaning, "effects" | "paths" | "unresolved"> {
  const named = operands.filter(({ word }) => word.text !== "-").slice(0, maxFiles);
  const located = named.map(({ word }) => locate(call.place, word));
  const effects = located.flatMap(({ paths }) => paths.flatMap(effect)).slice(0, maxFiles);
  const unresolved = operands.length > maxFiles || located.some(({ open }) => open);
  return { effects, paths: named.map(({ index }) => index), unresolved };
}

const maxGlob = 200;

/**
 * The operand with the files that its glob matches, as far as they are known. null: a glob that
 * can only match scratch files, by its name or because nothing known matches.
 */
export function knownFiles(place: Place, operand: Operand): Operand | null {
  const { word, index } = operand;
  const isGlob = word.values.length === 0 && /[*?[]/.test(word.text) && !/[$`{]/.test(word.text);
  const glob = isGlob ? resolvePath(place.root, place.cwd, word.text) : null;
  if (glob === null || glob.length > maxGlob || isExternal(glob)) return operand;
  const files = place.ledger.known().filter((path) => matchesGlob(path, glob));
  const values = files.slice(0, maxFiles).map((path) => absolutePath(place.root, path));
  if (values.length > 0) return { word: { text: word.text, values }, index };
  return place.ledger.hasListing || isScratchGlob(glob) ? null : operand;
}

function namesOutside(place: Place): (operand: Operand) => boolean {
  return ({ word }) => word.values.length === 0 && !locate(place, word).open;
}

/** An edit, or another change, of exactly these operands; none named is unresolved too. */
export function changes(
  call: Call,
  operands: readonly Operand[],
  effect: (path: string) => Effect | readonly Effect[],
): Meaning {
  const known = operands.flatMap((operand) => knownFiles(call.place, operand) ?? []);
  const found = onFiles(call, known, effect);
  const isHarmless = known.length < operands.length || known.some(namesOutside(call.place));
  const isUnnamed = found.effects.length === 0 && !isHarmless;
  const paths = operands.map(({ index }) => index);
  return meaning("edit", { ...found, paths, unresolved: found.unresolved || isUnnamed });
}

/** Reads of those operands that name something in the repository or written before. */
export function reads(
  call: Call,
  kind: SegmentClass,
  operands: readonly Operand[],
  lines: readonly LineRange[] = [],
): Meaning {
  const found = onFiles(call, operands, (path) =>
    isReadable(call.place, path) ? { kind: "read", path, lines } : [],
  );
  return meaning(kind, { ...found, unresolved: false });
}

/** Reads that show only these lines. */
export function shows(
  call: Call,
  operands: readonly Operand[],
  selection: Selection | null,
): Meaning {
  if (!selection) return reads(call, "inspect", operands);
  const lines = narrow([], selection);
  return { ...reads(call, "inspect", operands, lines), selection };
}

/** Without a listing every path inside the repository is taken for real. */
function isReadable({ ledger }: Place, path: string): boolean {
  return ledger.exists(path) || (!ledger.hasListing && !isExternal(path));
}
