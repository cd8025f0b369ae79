import { isCode, moduleOf } from "./files.ts";

/** What an issue calls a file by. */
export interface Mention {
  readonly file: string;
  /** As it stands in the issue. */
  readonly text: string;
  /** From 0 to 1: less for a dotted name than for a path, and shared where several files fit. */
  readonly weight: number;
}

const pathText = /[\w.\-/\\]*\w\.[A-Za-z]{1,6}\b/g;
const dottedName = /\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;

/** A dotted name may be an object's method as well. Our choice. */
const dottedWeight = 0.5;
/** A name that more files have says nothing. Our choice. */
const mostFiles = 3;

/**
 * The files that an issue names: by a path or its end, as tracebacks do, and by dotted names of
 * modules. Each file once, a path before a name.
 */
export function mentionsIn(issue: string, files: readonly string[]): readonly Mention[] {
  const paths = endsOf(files, (file) => file);
  const modules = endsOf(files, moduleOf);
  const found = new Map<string, Mention>();
  const keep = (mention: Mention) => {
    if (!found.has(mention.file)) found.set(mention.file, mention);
  };
  for (const [text] of issue.matchAll(pathText)) {
    if (!isCode(text)) continue;
    const hits = filesOfPath(text.replaceAll("\\", "/"), paths);
    for (const file of hits) keep({ file, text, weight: 1 / hits.length });
  }
  for (const [text] of issue.matchAll(dottedName)) {
    const hits = filesOfName(text.split("."), modules);
    const weight = dottedWeight / hits.length;
    for (const file of hits) keep({ file, text, weight });
  }
  return [...found.values()];
}

/** By each end of a path, `c.py`, `b/c.py` and `a/b/c.py`: the files that have it. */
function endsOf(
  files: readonly string[],
  nameOf: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const ends = new Map<string, string[]>();
  for (const file of files) {
    const parts = nameOf(file).split("/");
    for (let at = 0; at < parts.length; at += 1) {
      const end = parts.slice(at).join("/");
      ends.set(end, [...(ends.get(end) ?? []), file]);
    }
  }
  return ends;
}

/**
 * The files with the longest end that a path has in common with any. Of a path that has folders its
 * name alone is not enough: every project has a `utils.py`.
 */
function filesOfPath(
  path: string,
  ends: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const shortest = parts.length === 1 ? 0 : parts.length - 2;
  for (let at = 0; at <= shortest; at += 1) {
    const hits = ends.get(parts.slice(at).join("/"));
    if (hits) return hits;
  }
  return [];
}

/** The files of the longest beginning of a dotted name that is a module; a single word must be unique. */
function filesOfName(
  parts: readonly string[],
  modules: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  for (let length = parts.length; length >= 1; length -= 1) {
    const hits = modules.get(parts.slice(0, length).join("/")) ?? [];
    const most = length === 1 ? 1 : mostFiles;
    if (hits.length > 0 && hits.length <= most) return hits;
  }
  return [];
}
