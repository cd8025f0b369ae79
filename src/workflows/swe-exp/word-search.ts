import { quote } from "../../agent/patch/script.ts";
import { codeAware } from "../../experience/tokenize.ts";
import { excerpt, linesOf } from "./code-text.ts";
import type { Looking } from "./find-code.ts";
import { gitGrep, pathspec } from "./grep.ts";
import { failed, type Outcome, shown } from "./outcome.ts";

/** Words of a query that are looked for, and files that are told. Our choice. */
const most = { words: 8, files: 5, counted: 120 };

/** Lines shown around the place with the most words. */
const window = 30;

/** How often each word of the query stands in a file. */
interface Counts {
  readonly file: string;
  readonly counts: readonly number[];
}

/**
 * Stands in for search by meaning, which wants an embedding of the whole repository: files ranked
 * by BM25's saturation and rarity over the words of the query.
 */
export async function searchByWords(
  {
    query,
    file_pattern: files,
  }: { readonly query: string; readonly file_pattern?: string | undefined },
  looking: Looking,
): Promise<Outcome> {
  const { workspace, overlay, patch } = looking;
  const words = [...new Set(codeAware(query))]
    .filter((word) => word.length > 2)
    .slice(0, most.words);
  if (words.length === 0) return failed("The query holds no word to look for.", overlay);
  const { output } = await workspace.shell(countCommand(words, files), patch);
  const counted = output.split("\n").flatMap((line) => countsIn(line, words.length));
  const known = counted.filter(({ file }) => workspace.holds(file, overlay));
  const best = rank(known, words.length).slice(0, most.files);
  if (best.length === 0) return failed("No file holds any of these words.", overlay);
  const excerpts = [];
  for (const { file } of best) {
    const text = await workspace.text(file, overlay);
    if (text !== null) excerpts.push(around(file, text, words));
  }
  const intro = `Files ranked by the words ${words.join(", ")}:`;
  const body = [intro, ...excerpts.map(({ text }) => text)].join("\n\n");
  return shown(
    body.slice(0, looking.chars),
    excerpts.map(({ span }) => span),
    overlay,
  );
}

/** Prints `count … count<TAB>file`, those files first that hold the most of the words. */
function countCommand(words: readonly string[], files: string | undefined): string {
  const patterns = words.map((word) => `-e ${quote(word)}`).join(" ");
  const list = quote(words.join(" "));
  const count = `BEGIN { n = split(words, w, " ") }
{ file = $0; sub(/\\t.*/, "", file); line = tolower(substr($0, length(file) + 2)); seen[file] = 1
  for (i = 1; i <= n; i++) if (index(line, w[i])) c[file, i]++ }
END { for (file in seen) { held = 0; row = ""
  for (i = 1; i <= n; i++) { held += (c[file, i] > 0); row = row (i > 1 ? " " : "") (c[file, i] + 0) }
  print held "\\t" row "\\t" file } }`;
  return `${gitGrep} -z -i -F ${patterns}${pathspec(files)} | tr '\\000' '\\t' | awk -v words=${list} ${quote(count)} | sort -rn | head -n ${most.counted} | cut -f2-`;
}

function countsIn(line: string, words: number): readonly Counts[] {
  const [row = "", file = ""] = line.split("\t");
  const counts = row.split(" ").map(Number);
  const isWhole = counts.length === words && counts.every(Number.isFinite) && file !== "";
  return isWhole ? [{ file, counts }] : [];
}

/** Saturation of BM25 (k1 1.5) without its length normalisation: lengths are not known here. */
const k1 = 1.5;

function rank(all: readonly Counts[], words: number): readonly Counts[] {
  const holders = Array.from(
    { length: words },
    (_, n) => all.filter(({ counts }) => (counts[n] ?? 0) > 0).length,
  );
  const weight = (n: number) => {
    const holding = holders[n] ?? 0;
    return Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5));
  };
  const score = ({ counts }: Counts) =>
    counts.reduce((sum, count, n) => sum + (weight(n) * count * (k1 + 1)) / (count + k1), 0);
  return all.toSorted((a, b) => score(b) - score(a) || a.file.localeCompare(b.file));
}

/** The stretch of a file that holds the most of the words. */
function around(file: string, text: string, words: readonly string[]) {
  const lines = linesOf(text.toLowerCase());
  const held = lines.map((line) => words.filter((word) => line.includes(word)).length);
  let [best, most, sum] = [0, -1, 0];
  for (let at = 0; at < held.length; at++) {
    sum += (held[at] ?? 0) - (held[at - window] ?? 0);
    if (sum > most) [best, most] = [Math.max(0, at - window + 1), sum];
  }
  return excerpt(file, text, best + 1, best + window);
}
