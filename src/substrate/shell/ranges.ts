import type { LineRange } from "./action.ts";
import type { Word } from "./words.ts";

/** Which of the lines that reach a filter pass it. */
export type Selection =
  | { readonly kind: "lines"; readonly ranges: readonly LineRange[] }
  /** The last n lines: where they stand depends on the length of the input. */
  | { readonly kind: "last"; readonly count: number };

/** Bounds: ranges that one command names, words in which a count is looked for. */
const maxRanges = 20;
const maxWords = 20;

/** `a,bp`, `ap`, `a,+np`, `a,$p` and lists of them, as `sed -n` prints; null: something else. */
export function sedSelection(script: string): Selection | null {
  const ranges: LineRange[] = [];
  for (const part of script.split(/[;\n]/).slice(0, maxRanges)) {
    const command = part.trim();
    if (command === "") continue;
    const match = /^(\d+)\s*(?:,\s*(\+?\d+|\$))?\s*\{?\s*p\s*(?:;\s*q)?\s*\}?$/.exec(command);
    if (!match) return /^\d*q$/.test(command) && ranges.length > 0 ? lines(ranges) : null;
    const from = Number(match[1]);
    ranges.push({ from, to: rangeEnd(from, match[2]) });
  }
  return ranges.length > 0 ? lines(ranges) : null;
}

function rangeEnd(from: number, end: string | undefined): number | null {
  if (end === undefined) return from;
  if (end === "$") return null;
  return end.startsWith("+") ? from + Number(end) : Math.max(from, Number(end));
}

function lines(ranges: readonly LineRange[]): Selection {
  return { kind: "lines", ranges };
}

/** The program of an awk call that selects by `NR`: `NR>=10 && NR<=20`, `NR==5`. */
export function awkSelection(program: string): Selection | null {
  const match =
    /^\s*NR\s*(>=?)\s*(\d+)\s*(?:&&|,)\s*NR\s*(<=?|==)\s*(\d+)\s*(?:\{\s*print\b[^{}]*\})?\s*$/.exec(
      program,
    );
  if (match) {
    const from = Number(match[2]) + (match[1] === ">" ? 1 : 0);
    return lines([{ from, to: Number(match[4]) - (match[3] === "<" ? 1 : 0) }]);
  }
  const single = /^\s*NR\s*==\s*(\d+)(?:\s*,\s*NR\s*==\s*(\d+))?\s*(?:\{[^{}]*\})?\s*$/.exec(
    program,
  );
  if (!single) return null;
  return lines([{ from: Number(single[1]), to: Number(single[2] ?? single[1]) }]);
}

/** `-n N`, `-N`, `-n +N` of head and tail; 10 lines without. Byte counts (`-c`) select no lines. */
export function countSelection(head: string, words: readonly Word[]): Selection | null {
  const text = words
    .slice(0, maxWords)
    .map((word) => word.text)
    .join(" ");
  if (/(?:^| )(?:-c|--bytes)/.test(text)) return null;
  const match = /(?: |^)(?:-n ?|--lines[= ]|-q?(?=\d)|(?=\+\d))([+-]?)(\d+)(?= |$)/.exec(text);
  const count = Number(match?.[2] ?? 10);
  if (head === "head") return match?.[1] === "-" ? null : lines([{ from: 1, to: count }]);
  if (match?.[1] === "+") return lines([{ from: Math.max(1, count), to: null }]);
  return { kind: "last", count };
}

/** The lines of the file that pass a filter fed with `base`, a part of that file (empty: all). */
export function narrow(base: readonly LineRange[], selection: Selection): readonly LineRange[] {
  const whole = base[0] ?? { from: 1, to: null };
  if (base.length > 1) return base;
  if (selection.kind === "last") {
    if (whole.to === null) return base;
    return [{ from: Math.max(whole.from, whole.to - selection.count + 1), to: whole.to }];
  }
  return selection.ranges.map(({ from, to }) => {
    const start = whole.from + from - 1;
    const end = to === null ? whole.to : whole.from + to - 1;
    return { from: start, to: end !== null && whole.to !== null ? Math.min(end, whole.to) : end };
  });
}
