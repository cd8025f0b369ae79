/** Whose work an insight guides (ExpeRepair, arXiv:2506.10484): who tests, and who patches. */
export const insightAgents = ["tester", "coder"] as const;
export type InsightAgent = (typeof insightAgents)[number];

export const insightOperations = ["ADD", "EDIT", "REMOVE"] as const;
type InsightOperation = (typeof insightOperations)[number];

/** One change that a distiller asks for. */
export interface InsightChange {
  readonly operation: InsightOperation;
  /** From 1, in the list before all changes of the batch; null where it does not matter. */
  readonly number: number | null;
  readonly experience: string;
}

export interface InsightRules {
  readonly insightsCap: number;
  /** Which end is dropped when there are too many: the paper's words, or its public code. */
  readonly overflow: "oldest" | "newest";
  /** Changes of another kind are ignored. */
  readonly updateOps: readonly InsightOperation[];
}

export interface ChangedInsights<Insight> {
  readonly insights: readonly Insight[];
  /** One sentence for each change that was not made. */
  readonly ignored: readonly string[];
}

/** Makes an insight of a text; `before`: what it replaces. */
type Write<Insight> = (text: string, before: Insight | null) => Insight;

/**
 * The list after a batch of changes, in order. Numbers refer to the list before the batch, so a
 * REMOVE shifts nothing. A change out of range or of what the batch removed is ignored, and so is
 * an ADD of what stands there already (our choice: the public code would hit a neighbour). What is
 * beyond the cap is dropped at the end that `overflow` names.
 */
export function changeInsights<Insight extends { readonly text: string }>(
  current: readonly Insight[],
  changes: readonly InsightChange[],
  rules: InsightRules,
  write: Write<Insight>,
): ChangedInsights<Insight> {
  const slots: (Insight | null)[] = [...current];
  const ignored: string[] = [];
  for (const change of changes) {
    const fault = faultOf(change, slots, current.length, rules);
    if (fault !== null) ignored.push(`${change.operation} ${change.number ?? ""}: ${fault}`);
    else makeChange(slots, change, write);
  }
  const insights = slots.filter((slot) => slot !== null);
  const surplus = Math.max(0, insights.length - rules.insightsCap);
  return {
    insights:
      rules.overflow === "oldest"
        ? insights.slice(surplus)
        : insights.slice(0, insights.length - surplus),
    ignored,
  };
}

function makeChange<Insight>(
  slots: (Insight | null)[],
  { operation, number, experience }: InsightChange,
  write: Write<Insight>,
): void {
  const text = insightText(experience);
  if (operation === "ADD") {
    slots.push(write(text, null));
    return;
  }
  const at = (number ?? 0) - 1;
  slots[at] = operation === "REMOVE" ? null : write(text, slots[at] ?? null);
}

/** Why a change is not made; null: it is. */
function faultOf(
  { operation, number, experience }: InsightChange,
  slots: readonly ({ readonly text: string } | null)[],
  count: number,
  { updateOps }: InsightRules,
): string | null {
  if (!updateOps.includes(operation)) return "switched off";
  if (operation !== "REMOVE" && insightText(experience) === "") return "no text";
  if (operation === "ADD") {
    const key = keyOf(experience);
    return slots.some((slot) => slot !== null && keyOf(slot.text) === key) ? "known" : null;
  }
  if (number === null || !Number.isInteger(number) || number < 1 || number > count) {
    return `no insight has that number, there are ${count}`;
  }
  return slots[number - 1] === null ? "it was removed" : null;
}

/** Characters of an insight: a guideline is a sentence or two (our choice). */
const insightChars = 400;

/** An insight as one line. */
export function insightText(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, insightChars).trim();
}

const keyOf = (text: string) => insightText(text).toLowerCase();
