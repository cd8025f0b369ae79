/** A line of source as an output showed it: where it stands, as far as the output said. */
export interface SnippetLine {
  /** null: the output named no file. */
  readonly file: string | null;
  readonly number: number | null;
  readonly text: string;
}

/** One way of writing a line's place in front of it. */
interface Form {
  readonly pattern: RegExp;
  /** Tells a run of such lines from code that looks like it; without it every run is one. */
  readonly isReal?: (run: readonly string[]) => boolean;
}

/**
 * In order: `cat -n` and `nl -ba`; editors' arrows; `grep -n` over several files, over one; `grep`
 * over several files. A hyphen instead of the colon marks the context lines of `grep -A`.
 */
const forms: readonly Form[] = [
  { pattern: /^ *(?<number>\d+)\t(?<text>.*)$/ },
  { pattern: /^ *(?<number>\d+)→(?<text>.*)$/ },
  { pattern: /^(?<file>[\w./+-]+\.\w+)(?<mark>[:-])(?<number>\d+)\k<mark>(?<text>.*)$/ },
  { pattern: /^(?<number>\d+)[:-](?<text>.*)$/, isReal: isGrep },
  { pattern: /^(?<file>[\w./+-]+\.(?:pyi?|[cm]?[jt]sx?)):(?<text>.*)$/ },
];

/** `12: "x"` is an entry of a dict: source is never indented by exactly one space. */
function isGrep(run: readonly string[]): boolean {
  return run.some((line) => /^\d+:/.test(line)) && !run.every((line) => /^\d+. \S/.test(line));
}

/**
 * The lines of an output without the prefixes that tools put before source lines: numbers of
 * `cat -n`, `nl -ba` and `grep -n`, `file:12:`, `12→`, and the signs of a diff, whose removed lines
 * are left out. Numbers count as a prefix only as long as they ascend from line to line.
 */
export function snippetLines(output: string): readonly SnippetLine[] {
  const lines = output.split(/\r?\n/);
  if (lines.some((line) => hunkStart.test(line))) return diffLines(lines);
  const result: SnippetLine[] = [];
  for (let start = 0; start < lines.length; ) {
    const run = runAt(lines, start);
    const line = lines[start] ?? "";
    if (run.length > 0) result.push(...run);
    else if (line !== "--") result.push({ file: null, number: null, text: line });
    start += Math.max(run.length, 1);
  }
  return result;
}

/** The prefixed lines that start here, under the first form that fits. */
function runAt(lines: readonly string[], start: number): readonly SnippetLine[] {
  for (const { pattern, isReal } of forms) {
    const run = runOf(pattern, lines, start);
    if (run.length === 0) continue;
    if (isReal === undefined || isReal(lines.slice(start, start + run.length))) return run;
  }
  return [];
}

function runOf(pattern: RegExp, lines: readonly string[], start: number): readonly SnippetLine[] {
  const run: SnippetLine[] = [];
  for (let index = start; index < lines.length; index++) {
    const groups = pattern.exec(lines[index] ?? "")?.groups;
    if (groups === undefined) return run;
    const { file = null, text = "" } = groups;
    const number = groups["number"] === undefined ? null : Number(groups["number"]);
    const last = run.at(-1);
    const goesOn = last === undefined || (last.file === file && !descends(last.number, number));
    if (!goesOn) return run;
    run.push({ file, number, text });
  }
  return run;
}

function descends(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && after <= before;
}

const hunkStart = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The new side of a diff. */
function diffLines(lines: readonly string[]): readonly SnippetLine[] {
  const result: SnippetLine[] = [];
  let file: string | null = null;
  let number: number | null = null;
  for (const line of lines) {
    const start = hunkStart.exec(line)?.[1];
    const target = /^\+\+\+ (?:b\/)?(\S+)/.exec(line)?.[1];
    if (start !== undefined) number = Number(start);
    else if (target !== undefined) [file, number] = [target, null];
    else if (line.startsWith("diff ") || line.startsWith("--- ")) number = null;
    else if (number !== null && !line.startsWith("-") && !line.startsWith("\\")) {
      result.push({ file, number, text: line.slice(1) });
      number += 1;
    }
  }
  return result;
}

/** The text without the indentation that all its non-blank lines share. */
export function dedent(lines: readonly string[]): string {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
  return lines.map((line) => line.slice(shared)).join("\n");
}
