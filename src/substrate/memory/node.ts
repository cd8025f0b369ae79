import { headOf, tailOf } from "./text.ts";

/** One message of the episode, as it came: text that the harness appended is never in here. */
export interface MemoryNode {
  /** The message's position in the conversation. */
  readonly id: number;
  readonly role: "user" | "assistant" | "tool";
  /** The assistant turn it belongs to, from 1; 0 before the first. */
  readonly turn: number;
  /** The message, its middle left out where it is longer than the cap. */
  readonly view: string;
  /** One line for people. */
  readonly summary: string;
  /** Numbers in the file graph: those that the command read, names otherwise, the text names. */
  readonly files: readonly number[];
  /** How many of `files`, from the first, the command read. */
  readonly read: number;
  /** The command changed files. */
  readonly edited: boolean;
  /** Numbers of the files that it changed; empty with `edited`: the text does not name them. */
  readonly edits: readonly number[];
  readonly reverted: boolean;
  /** The normalised command of a tool node. */
  readonly action: string | null;
  readonly exitCode: number | null;
  /** Of the view. */
  readonly tokens: number;
  /** Numbers of its words in the lexicon. */
  readonly terms: readonly number[];
}

/** Share of the cap that the head keeps: heads carry paths, tails carry errors (our choice). */
const headShare = 0.6;
/** Room for the mark between the two. */
const markChars = 50;
const summaryChars = 160;

/** The text, or its head and tail with a mark between them, at most `cap` UTF-16 units. */
export function viewOf(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const head = headOf(text, Math.floor(cap * headShare));
  const tail = tailOf(text, cap - Math.floor(cap * headShare) - markChars);
  return `${head}\n…[${text.length - (cap - markChars)} chars elided]…\n${tail}`;
}

/** `pytest -x → rc 1: E   AssertionError`: the first line that reports an error, else the first. */
export function outcomeSummary(
  action: string | null,
  exitCode: number | null,
  view: string,
): string {
  const outcome = `${action ?? "(no command)"} → rc ${exitCode ?? "?"}`;
  const lines = view.trim().split("\n");
  const line = lines.find((text) => errorLine.test(text)) ?? lines[0] ?? "";
  return headOf(line === "" ? outcome : `${outcome}: ${line.trim()}`, summaryChars);
}

const errorLine = /(?:Error|Exception|Warning)\b|^FAILED |^E {3}/;

/** The first sentence of what the model said. */
export function speechSummary(text: string): string {
  const sentence = /^[\s\S]*?(?:[.!?](?=\s)|\n|$)/.exec(text.trimStart())?.[0] ?? "";
  return headOf(sentence.trim(), summaryChars);
}
