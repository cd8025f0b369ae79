import { words } from "../tokenize.ts";
import type { IssueEntry } from "./commit.ts";

/** Words in a row that are compared, and the share of them that makes two texts overlap (our choice). */
const gramWords = 5;
const overlapShare = 0.3;
/** Characters that a text may hold of another before they count as the same (our choice). */
const sameHead = 200;

/** A text as others are compared with it. */
export interface Compared {
  readonly text: string;
  readonly title: string;
  readonly grams: ReadonlySet<string>;
}

export function compared(text: string): Compared {
  const spaced = normal(text);
  return { text: spaced, title: normal(firstLine(text)), grams: gramsOf(text) };
}

/**
 * Share of an issue's runs of five words that the target has too; 0 when it has fewer than five
 * words.
 */
export function containment(issue: string, target: Compared): number {
  const own = gramsOf(issue);
  if (own.size === 0) return 0;
  let shared = 0;
  for (const gram of own) if (target.grams.has(gram)) shared += 1;
  return shared / own.size;
}

/**
 * Whether an issue says what the target says: the same title, three tenths of its runs of five
 * words, or one text with the beginning of the other ("overlapping text", arXiv:2510.01003; the
 * measure is our choice).
 */
export function overlaps({ title, body }: Omit<IssueEntry, "id">, target: Compared): boolean {
  const own = normal(title);
  if (own !== "" && own === target.title) return true;
  const text = `${title}\n${body}`;
  return containment(text, target) >= overlapShare || sharesHead(normal(text), target.text);
}

function sharesHead(one: string, other: string): boolean {
  const holds = (text: string, of: string) =>
    of.length >= sameHead && text.includes(of.slice(0, sameHead));
  return holds(one, other) || holds(other, one);
}

function gramsOf(text: string): ReadonlySet<string> {
  const all = words(text);
  const grams = new Set<string>();
  for (let at = 0; at + gramWords <= all.length; at += 1) {
    grams.add(all.slice(at, at + gramWords).join(" "));
  }
  return grams;
}

const firstLine = (text: string) => text.trimStart().split("\n", 1)[0] ?? "";
const normal = (text: string) => words(text).join(" ");
