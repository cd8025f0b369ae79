import type { Brief, ShownRecollection } from "../domain/briefing.ts";
import type { ExperienceBudgets } from "../domain/config/experience.ts";
import type { Occasion, Recollection } from "../domain/experience.ts";
import { neutral } from "../domain/neutral.ts";
import { headOf, tokensOf } from "../substrate/memory/text.ts";
import { isDue, type Turn, turnOf, turns } from "./turns.ts";

const opening = "[LTM]";
const closing = "[/LTM]";
const preface =
  "From work on other issues. It may not fit here: check it against this repository before use.";

const headings: Readonly<Record<Turn, string>> = {
  commits: "History of this repository:",
  insights: "Lessons from earlier repairs:",
  records: "How other issues were repaired:",
  experience: "Experience with an issue like this:",
};

/** What a block shows, and what has to wait. */
export type Layout = Pick<Brief, "block" | "recalled" | "waiting">;

type Moment = Pick<Occasion, "phase" | "entry">;

/**
 * Lays out what memories offer as a phase is entered. Each turn keeps to its own budget: its best
 * memories, up to the first that no longer fits; the very first is cut rather than left out. Turns
 * are taken in order while the block stays within `total`; one that does not fit whole waits, and
 * speaks next time unless its source has something newer to say then. What a block has shown is not
 * shown again before the plan turns back. `earlier`: the briefs of this episode so far.
 */
export function layOut(
  offered: readonly Recollection[],
  occasion: Moment,
  earlier: readonly Brief[],
  budgets: ExperienceBudgets,
): Layout {
  const shown = occasion.phase === "backtrack" ? new Set<string>() : shownBy(earlier);
  const fresh = offered.filter((one) => isDue(turnOf(one), occasion, earlier));
  const left = earlier.at(-1)?.waiting ?? [];
  let lines: readonly string[] = [];
  const recalled: ShownRecollection[] = [];
  const waiting: Recollection[] = [];
  for (const turn of turns) {
    const own = unseen(ofTurn(fresh, turn), shown);
    const candidates = own.length > 0 ? own : unseen(ofTurn(left, turn), shown);
    const kept = withinBudget(turn, candidates, budgets[turn]);
    if (kept.length === 0) continue;
    const more = [...lines, ...linesOf(turn, kept)];
    if (tokensOf(frame(more)) > budgets.total) waiting.push(...kept);
    else {
      lines = more;
      recalled.push(...kept.map(recordOf));
    }
  }
  return { block: lines.length === 0 ? null : frame(lines), recalled, waiting };
}

/** One memory may be shown at two stages, as what it says differs. */
const keyOf = ({ id, stage }: Pick<Recollection, "id" | "stage">) => `${stage ?? ""}/${id}`;

/** What was shown since the plan last turned back. */
function shownBy(earlier: readonly Brief[]): ReadonlySet<string> {
  const since = earlier.findLastIndex(({ phase }) => phase === "backtrack");
  const briefs = earlier.slice(Math.max(since, 0));
  return new Set(briefs.flatMap(({ recalled }) => recalled.map(keyOf)));
}

/** AdaRepair-Mem chooses among the same records in ExpeRepair's place (its own setup). */
function ofTurn(all: readonly Recollection[], turn: Turn): readonly Recollection[] {
  const own = all.filter((one) => turnOf(one) === turn);
  const chosen = own.filter(({ source }) => source === "adarepair");
  return chosen.length > 0 ? chosen : own;
}

/** Each once, without those that were shown. */
function unseen(
  offered: readonly Recollection[],
  shown: ReadonlySet<string>,
): readonly Recollection[] {
  const seen = new Set(shown);
  return offered.filter((one) => {
    const isNew = !seen.has(keyOf(one));
    seen.add(keyOf(one));
    return isNew && one.text.trim() !== "";
  });
}

function withinBudget(
  turn: Turn,
  candidates: readonly Recollection[],
  budget: number,
): readonly Recollection[] {
  const kept: Recollection[] = [];
  for (const one of candidates) {
    if (tokensOf(textOf(linesOf(turn, [...kept, one]))) > budget) break;
    kept.push(one);
  }
  const [first] = candidates;
  return kept.length > 0 || first === undefined ? kept : cutToFit(turn, first, budget);
}

const cutMark = " …";

/** A memory that is alone too long, cut; none where not even its beginning fits. */
function cutToFit(turn: Turn, one: Recollection, budget: number): readonly Recollection[] {
  const text = neutral(one.text.trim());
  const fits = (length: number) =>
    tokensOf(textOf(linesOf(turn, [{ ...one, text: headOf(text, length) + cutMark }]))) <= budget;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? [] : [{ ...one, text: headOf(text, low) + cutMark }];
}

function linesOf(turn: Turn, recollections: readonly Recollection[]): readonly string[] {
  return [headings[turn], ...recollections.map(lineOf)];
}

/** Further lines are indented, so that a memory's end is seen. */
const lineOf = ({ text }: Pick<Recollection, "text">) =>
  `- ${neutral(text.trim()).replaceAll("\n", "\n  ")}`;

const textOf = (lines: readonly string[]) => lines.join("\n");
const frame = (lines: readonly string[]) => textOf([opening, preface, ...lines, closing]);

function recordOf({ text, ...one }: Recollection): ShownRecollection {
  return { ...one, tokens: tokensOf(lineOf({ text })) };
}
