import type { Span } from "../../domain/search-tree.ts";

/** Lines of a file as the model is shown them, and which they are. */
export interface Excerpt {
  readonly text: string;
  readonly span: Span;
}

export const linesOf = (text: string): readonly string[] => {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** Lines `start` to `end`, from 1, both included and brought within the file, with their numbers. */
export function excerpt(file: string, text: string, start: number, end: number): Excerpt {
  const lines = linesOf(text);
  const from = Math.min(Math.max(1, start), Math.max(1, lines.length));
  const to = Math.min(Math.max(from, end), Math.max(1, lines.length));
  const body = lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join("\n");
  const range = `lines ${from} to ${to} of ${lines.length}`;
  return { text: `${file} (${range}):\n${body}`, span: { file, start: from, end: to } };
}

const indentOf = (line: string) => /^\s*/.exec(line)?.[0].length ?? 0;

/**
 * Where what is defined at a line ends: before the next line that is indented no deeper, or with it
 * where it only closes brackets. Line numbers from 1.
 */
export function definitionEnd(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start - 1] ?? "");
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) > indent || isContinued(line)) {
      end = at + 1;
    } else {
      return isClosing(line) ? at + 1 : end;
    }
  }
  return end;
}

/** A head that goes on over several lines closes its brackets at its own indentation. */
const isContinued = (line: string) => /^\s*[)\]}].*[:{]\s*$/.test(line);
const isClosing = (line: string) => /^\s*[)\]}]+[;,]?\s*$/.test(line) || /^\s*end\s*$/.test(line);

/** Whether a line lies within a class of that name, by indentation. Line number from 1. */
export function isWithinClass(lines: readonly string[], line: number, name: string): boolean {
  let indent = indentOf(lines[line - 1] ?? "");
  for (let at = line - 2; at >= 0 && indent > 0; at--) {
    const text = lines[at] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (new RegExp(`\\bclass\\s+${name}(?![\\w$])`).test(text)) return true;
  }
  return false;
}
