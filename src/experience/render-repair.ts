import { headOf, tailOf } from "../substrate/memory/text.ts";
import type { RepairMemory } from "./repair-memory.ts";

/** Characters of a token, as `tokensOf` counts, and of an issue at most (our choice). */
const charsPerToken = 4;
const issueChars = 300;

interface Part {
  readonly title: string;
  readonly text: string;
  /** Its share of the room, against the others that there are. */
  readonly share: number;
  /** What is left where it is too long: errors stand at the end of an output. */
  readonly cut: typeof headOf;
}

/**
 * A memory as an example for a prompt, of at most so many tokens: the issue, then what stage it is
 * of says of places, failed attempt, feedback, artifact and output, each cut to its share.
 */
export function renderRepair(memory: RepairMemory, tokens: number): string {
  const chars = tokens * charsPerToken;
  const head = headLine(memory, Math.min(issueChars, Math.floor(chars / 4)));
  const parts = partsOf(memory, chars);
  const frames = parts.reduce((sum, { title }) => sum + title.length + 3 + cutMark.length, 0);
  let room = chars - head.length - frames;
  let shares = parts.reduce((sum, { share }) => sum + share, 0);
  const lines = [head];
  for (const { title, text, share, cut } of parts) {
    const length = Math.max(0, Math.floor((room * share) / shares));
    const shown = text.length <= length ? text : shorten(text, length, cut);
    room -= shown.length;
    shares -= share;
    if (shown.trim() !== "") lines.push(`${title}:${oneOrMore(shown)}`);
  }
  return headOf(lines.join("\n"), chars);
}

const cutMark = "…";

const shorten = (text: string, length: number, cut: Part["cut"]) =>
  cut === headOf ? `${cut(text, length)}${cutMark}` : `${cutMark}${cut(text, length)}`;

const oneOrMore = (text: string) => (text.includes("\n") ? `\n${text}` : ` ${text}`);

function headLine({ from, outcome, repairType }: RepairMemory, chars: number): string {
  const name = [from.instanceId ?? from.repo ?? "an issue", repairType].join(", ");
  const worth = outcome.verified ? "resolved" : "not known to be resolved";
  const issue = from.issue.replace(/\s+/g, " ").trim();
  return `${name} (${worth}): ${issue.length > chars ? `${headOf(issue, chars)}…` : issue}`;
}

const titles = {
  rep: { failed: "A script that did not show it", artifact: "A script that showed it" },
  loc: { failed: "", artifact: "Changed in the end" },
  gen: { failed: "", artifact: "Patch" },
  ref: { failed: "A change that failed", artifact: "What came to work" },
  val: { failed: "", artifact: "Checked with" },
} as const;

function partsOf(memory: RepairMemory, chars: number): readonly Part[] {
  const { stage, retrievedContext, failedAttempt, failureFeedback } = memory;
  const { failed, artifact } = titles[stage];
  const short = (text: string) => shortDiff(text, chars / 2);
  const parts: readonly Part[] = [
    {
      title: stage === "loc" ? "Read on the way" : "At",
      text: retrievedContext.replaceAll("\n", ", "),
      share: stage === "loc" ? 3 : 1,
      cut: headOf,
    },
    { title: failed, text: short(failedAttempt), share: 3, cut: headOf },
    { title: "It gave", text: failureFeedback, share: 2, cut: tailOf },
    { title: artifact, text: short(memory.artifact), share: 6, cut: headOf },
    { title: "Which gave", text: memory.successfulOutput, share: 1, cut: tailOf },
  ];
  return parts.filter(({ text }) => text.trim() !== "");
}

/**
 * A text without blank lines; of a diff what people need: no lines that only tools need, and where
 * it is longer than `chars` only what changes.
 */
function shortDiff(text: string, chars: number): string {
  const dense = text
    .replace(/^(?:diff --git|index|---) .*\n/gm, "")
    .replace(/\n(?:[ \t]*\n)+/g, "\n");
  const isDiff = /^@@ /m.test(dense);
  return isDiff && dense.length > chars ? dense.replace(/^ .*\n/gm, "") : dense;
}

/** Of the room for all memories, what indentation and headings leave (our choice). */
const usable = 0.85;

/** Tokens for each of so many memories that share a room. */
export function tokensFor(room: number, count: number): number {
  return Math.floor((room * usable) / Math.max(1, count));
}
