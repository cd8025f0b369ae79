import {
  type Call,
  changes,
  type Effect,
  knownFiles,
  locate,
  type Meaning,
  meaning,
} from "./meaning.ts";
import { type Operand, type Options, parseOptions } from "./options.ts";
import { baseName } from "./paths.ts";
import type { Word } from "./words.ts";

const write = (path: string): Effect => ({ kind: "write", path });
const remove = (path: string): Effect => ({ kind: "delete", path });
const read = { kind: "read", lines: [] } as const;

interface Transfer {
  readonly sources: readonly Operand[];
  readonly target: Word | undefined;
  readonly targetIndex: number | undefined;
  /** The target surely is a folder. */
  readonly intoFolder: boolean;
}

function transferOf({ flags, operands }: Options): Transfer {
  const given = (flags.get("t") ?? flags.get("target-directory"))?.at(-1);
  if (given) return { sources: operands, target: given, targetIndex: undefined, intoFolder: true };
  const last = operands.at(-1);
  const sources = operands.slice(0, -1);
  const isFolder = /(?:^|\/)\.{0,2}\/?$|\/$/.test(last?.word.text ?? "");
  const intoFolder = isFolder || sources.length > 1;
  return { sources, target: last?.word, targetIndex: last?.index, intoFolder };
}

type Copies = readonly { readonly from: string; readonly to: string }[];

/**
 * Where each source ends up: its own name in the target folder, or the target itself. In a loop
 * sources and targets go in pairs.
 */
function destinations({ place }: Call, { sources, target, intoFolder }: Transfer): Copies {
  const targets = target ? locate(place, target).paths : [];
  const from = sources
    .flatMap((operand) => knownFiles(place, operand) ?? [])
    .flatMap(({ word }) => locate(place, word).paths);
  return from.flatMap((path, i) => {
    const to = targets[i] ?? targets[0];
    if (to === undefined) return [];
    const isInto = intoFolder || from.length > targets.length || place.ledger.isFolder(to);
    return [{ from: path, to: isInto ? inFolder(to, baseName(path)) : to }];
  });
}

function inFolder(folder: string, name: string): string {
  return folder === "." ? name : `${folder.replace(/\/$/, "")}/${name}`;
}

function transfer(call: Call, isMove: boolean): Meaning {
  const options = parseOptions(call.words, "t S m o g target-directory suffix mode");
  const moved = transferOf(options);
  const copies = destinations(call, moved);
  const found = changes(call, moved.sources, isMove ? remove : (path) => ({ ...read, path }));
  const written = new Set(copies.map(({ to }) => to));
  const isOpen = moved.target === undefined || locate(call.place, moved.target).open;
  return {
    ...found,
    effects: [...(isMove ? found.effects : []), ...[...written].map(write)],
    paths: moved.targetIndex === undefined ? found.paths : [...found.paths, moved.targetIndex],
    unresolved: isOpen || found.unresolved,
    copies,
  };
}

export function copy(call: Call): Meaning {
  return transfer(call, false);
}

export function move(call: Call): Meaning {
  return transfer(call, true);
}

/** What a symbolic link points to is no path from here. */
export function link(call: Call): Meaning {
  const made = transfer(call, false);
  const isSymbolic = parseOptions(call.words, "t S").flags.has("s");
  return isSymbolic ? { ...made, paths: made.paths.slice(-1), copies: [] } : made;
}

/** `install -d` makes folders only. */
export function install(call: Call): Meaning {
  const isFolder = call.words.some((word) => word.text === "-d" || word.text === "--directory");
  return isFolder ? meaning("setup") : transfer(call, false);
}

/** What is already gone does not change. */
export function removeFiles(call: Call): Meaning {
  const { ledger } = call.place;
  const { operands } = parseOptions(call.words, "");
  return unlessIdle(call, operands, (path) => (ledger.isGone(path) ? [] : remove(path)));
}

/** Only a file that is not known yet changes by it. */
export function touch(call: Call): Meaning {
  const { ledger } = call.place;
  const { operands } = parseOptions(call.words, "d t r date reference");
  return unlessIdle(call, operands, (path) => (ledger.exists(path) ? [] : write(path)));
}

/** Changes; neutral when every file is named and none of them changes. */
function unlessIdle(
  call: Call,
  operands: readonly Operand[],
  effect: (path: string) => Effect | readonly Effect[],
): Meaning {
  const found = changes(call, operands, effect);
  const isNamed = ({ word }: Operand): boolean => locate(call.place, word).paths.length > 0;
  const isIdle = found.effects.length === 0 && operands.length > 0 && operands.every(isNamed);
  return isIdle ? { ...found, class: "neutral" } : found;
}

export function truncate(call: Call): Meaning {
  return changes(call, parseOptions(call.words, "s r size reference").operands, write);
}

/** `dd of=F`. */
export function dd(call: Call): Meaning {
  const target = call.words.find((word) => word.text.startsWith("of="));
  if (!target) return meaning("other");
  const { paths } = locate(call.place, {
    text: target.text.slice(3),
    values: target.values.map((value) => value.slice(3)),
  });
  return meaning("edit", { effects: paths.map(write), unresolved: paths.length === 0 });
}

/** Folders are no files, but a later target may be one of them. */
export function makeFolders(call: Call): Meaning {
  const { operands } = parseOptions(call.words, "m mode");
  const located = operands.flatMap(({ word }) => locate(call.place, word).paths);
  return meaning("setup", { folders: located, paths: operands.map(({ index }) => index) });
}
