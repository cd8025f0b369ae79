import type { Script } from "../command-text.ts";
import { type Edit, isPlainPath } from "../edits.ts";

/** Characters of a reply that are read; what is longer answers no question of ours (our choice). */
const replyChars = 400_000;

/** What is read of a reply: no command line takes a NUL. */
const readable = (reply: string) => reply.slice(0, replyChars).replaceAll("\0", "");

/** Blocks between fences, with the word after the opening one. One that stays open counts as none. */
function fences(reply: string): readonly { readonly word: string; readonly body: string }[] {
  const blocks: { word: string; body: string }[] = [];
  let open: { readonly word: string; readonly lines: string[] } | null = null;
  for (const line of readable(reply).split("\n")) {
    const isFence = line.startsWith("```");
    if (open === null) open = isFence ? { word: line.slice(3), lines: [] } : null;
    else if (isFence && line.trim() === "```") {
      const { word, lines } = open;
      const body = lines.map((one) => `${one}\n`).join("");
      blocks.push({ word: word.trim().toLowerCase(), body });
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

const languages: Readonly<Record<string, Script["lang"]>> = {
  python: "python",
  python3: "python",
  py: "python",
  bash: "bash",
  sh: "bash",
  shell: "bash",
};

/** The last script of a reply; null: it holds none. The last, because drafts stand before it. */
export function scriptIn(reply: string): Script | null {
  for (const { word, body } of fences(reply).toReversed()) {
    const lang = languages[word];
    if (lang !== undefined && body.trim() !== "") return { lang, text: body };
  }
  return null;
}

/** The text in the last pair of such tags, without white space around it; null: there is none. */
export function tagIn(reply: string, tag: string): string | null {
  const text = readable(reply);
  const close = text.lastIndexOf(`</${tag}>`);
  const open = text.lastIndexOf(`<${tag}>`, close);
  if (close === -1 || open === -1) return null;
  return text.slice(open + tag.length + 2, close).trim();
}

/** Lines of a reply's last fenced list, or of the whole reply where it has no fence. */
function listed(reply: string): readonly string[] {
  const body = fences(reply).at(-1)?.body ?? readable(reply);
  return body.split("\n").map((line) =>
    line
      .replace(/^\s*(?:[-*]|\d+[.)])\s+/, "")
      .replaceAll("`", "")
      .trim(),
  );
}

/** Paths in a reply that are files of the repository, each once; others are dropped. */
export function pathsIn(reply: string, files: ReadonlySet<string>, max: number): readonly string[] {
  const paths = listed(reply).map((line) => line.replace(/^\.?\//, ""));
  return [...new Set(paths.filter((path) => files.has(path)))].slice(0, max);
}

/** A place in a file: lines, counted from 1, both ends included. */
export interface Location {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Lines of one place at most; a longer one is cut (our choice: no function is longer). */
const locationLines = 400;

/** Places of the form `path:from-to` or `path:line`; those outside the files are dropped. */
export function locationsIn(reply: string, files: ReadonlySet<string>): readonly Location[] {
  return listed(reply).flatMap((line) => {
    const [, path = "", first = "", last = first] =
      /^\.?\/?(.+?):\s*(\d{1,7})(?:\s*-\s*(\d{1,7}))?\b/.exec(line) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!files.has(path) || from < 1 || to < from) return [];
    return [{ file: path, from, to: Math.min(to, from + locationLines - 1) }];
  });
}

/**
 * The edits of a reply; a text says why it has none that can be tried. Between the tags a text
 * stands on lines of its own, so the line ends beside the tags are no part of it.
 */
export function editsIn(reply: string, max: number): readonly Edit[] | string {
  const blocks = between(readable(reply), "<edit>", "</edit>");
  if (blocks.length === 0) return "it holds no edit";
  if (blocks.length > max) return `it holds ${blocks.length} edits, and ${max} are allowed`;
  const edits = blocks.map(editIn);
  const fault = edits.find((edit) => typeof edit === "string");
  return fault ?? edits.filter((edit) => typeof edit !== "string");
}

/** Each text from an opening mark to the next closing one. */
function between(text: string, open: string, close: string): readonly string[] {
  const found: string[] = [];
  let start = text.indexOf(open);
  while (start !== -1) {
    const end = text.indexOf(close, start);
    if (end === -1) break;
    found.push(text.slice(start + open.length, end));
    start = text.indexOf(open, end);
  }
  return found;
}

/** From the first opening tag to the last closing one: what is between may hold such tags itself. */
function partOf(body: string, tag: string): string | undefined {
  const start = body.indexOf(`<${tag}>`);
  const end = body.lastIndexOf(`</${tag}>`);
  return start === -1 || end < start ? undefined : body.slice(start + tag.length + 2, end);
}

function editIn(body: string): Edit | string {
  const file = partOf(body, "file")?.trim();
  const [original, patched] = [partOf(body, "original"), partOf(body, "patched")];
  if (file === undefined || original === undefined || patched === undefined) {
    return "an edit lacks its file, original or patched text";
  }
  const path = file.replace(/^\.\//, "");
  if (!isPlainPath(path)) return "an edit names a path outside the repository";
  const edit = { file: path, original: withoutEnds(original), patched: withoutEnds(patched) };
  return edit.original === edit.patched ? "an edit changes nothing" : edit;
}

const withoutEnds = (text: string) => text.replace(/^[ \t]*\r?\n/, "").replace(/\n[ \t]*$/, "\n");

/** Whole numbers from 1 to `count` in a list, each once; null: there is no list. */
export function numbersIn(reply: string, tag: string, count: number): readonly number[] | null {
  const inside = tagIn(reply, tag);
  if (inside === null || !/^[\s\d,;[\]]*$/.test(inside)) return null;
  const numbers = [...inside.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return [...new Set(numbers)].filter((n) => n >= 1 && n <= count);
}
