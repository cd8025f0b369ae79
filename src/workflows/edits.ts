import { unifiedDiff } from "./unified-diff.ts";

/** A replacement of a text that stands in a file exactly so. */
export interface Edit {
  readonly file: string;
  /** Empty: the file is new. */
  readonly original: string;
  readonly patched: string;
}

/** Texts by path. What is not in it is as the base has it. */
export type Overlay = ReadonlyMap<string, string>;

/** Reads a text file of the base; null: there is none. */
export type ReadFile = (path: string) => Promise<string | null>;

/**
 * Lays edits on files in order, each upon what the ones before it left. A text that stands in its
 * file several times is replaced where it stands first. A string says which edit does not fit.
 */
export async function applyEdits(
  edits: readonly Edit[],
  read: ReadFile,
  before: Overlay = new Map(),
): Promise<Overlay | string> {
  const overlay = new Map(before);
  for (const [index, edit] of edits.entries()) {
    const { file } = edit;
    const text = overlay.get(file) ?? (await read(file));
    const edited = applyEdit(text, edit);
    if (edited === null) return `edit ${index + 1} of ${file} does not fit the file`;
    overlay.set(file, edited);
  }
  return overlay;
}

/** The text after the edit; null: it does not fit. `text` null: there is no such file. */
function applyEdit(text: string | null, { original, patched }: Edit): string | null {
  if (text === null) return original === "" ? patched : null;
  if (original === "") return null;
  const at = text.indexOf(original);
  return at === -1 ? null : text.slice(0, at) + patched + text.slice(at + original.length);
}

/** The overlay as one patch in git's format against the base, files in order of their names. */
export async function patchOf(overlay: Overlay, read: ReadFile): Promise<string> {
  const sections: string[] = [];
  for (const path of [...overlay.keys()].sort()) {
    sections.push(unifiedDiff(path, await read(path), overlay.get(path) ?? ""));
  }
  return sections.join("");
}

/** Whether a path that a model wrote may be that of a new file: inside the repository, plain. */
export function isPlainPath(path: string): boolean {
  const parts = path.split("/");
  const isOdd = (part: string) => part === "" || part === "." || part === ".." || part === ".git";
  return /^[\w@+.,=~ /-]+$/.test(path) && !parts.some(isOdd) && !/^\s|\s$/.test(path);
}
