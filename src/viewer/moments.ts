import type { StuckConfig } from "../domain/config/planner.ts";
import { type Phase, phases, rankOf } from "../domain/phase.ts";
import type { PlanEvent, StuckSignal, Suppression } from "../domain/plan.ts";
import type { Insight } from "./insight.ts";
import { labelOf } from "./recall-view.ts";

/** Something worth finding at once. */
export interface Moment {
  readonly step: number;
  readonly kind: "edit" | "test" | "stuck" | "back" | "hint" | "verdict" | "near" | "submit";
  readonly title: string;
  readonly detail: string;
  /**
   * What memory recalled where the work takes a turn or came nearest to one, the most telling
   * first; else empty.
   */
  readonly recalled: readonly { readonly turn: number; readonly label: string }[];
}

/** Recalled nodes that a moment names (our choice: as many as a block shows). */
const named = 4;

/** What each signal counts, as it reads after a number. */
export function countedBy(signal: StuckSignal, { readsSince }: StuckConfig): string {
  const ends = readsSince === "check" ? "a passing test" : "an edit";
  const words: Record<StuckSignal, string> = {
    repeatedEdits: "edits of one file",
    failedReturns: "failed commands in a row",
    repeatedAction: "runs of one command",
    readSaturation: `reads without ${ends}`,
  };
  return words[signal];
}

export const stuckSignals = [
  "repeatedEdits",
  "failedReturns",
  "repeatedAction",
  "readSaturation",
] as const satisfies readonly StuckSignal[];

/** The moments of an episode in order; `insights` are those of its steps from 1. */
export function momentsOf(insights: readonly Insight[], rules: StuckConfig): readonly Moment[] {
  const found = [
    ...first(insights, "edit", "First edit of source", ({ sourceEdit }) => sourceEdit, editsText),
    ...first(
      insights,
      "test",
      "First test run",
      ({ kind }) => kind === "test",
      () => "",
    ),
    ...stuckMoments(insights),
    ...insights.flatMap((insight, at) => (insight.hint === null ? [] : [hintMoment(insight, at)])),
    ...insights.flatMap((insight, at) => turnsBack(insight, at)),
    ...verdictMoments(insights),
    ...first(
      insights,
      "submit",
      "Submitted",
      ({ kind }) => kind === "submit",
      () => "",
    ),
  ];
  const isStuck = found.some(({ kind }) => kind === "stuck");
  const nearest = isStuck ? [] : nearestMoment(insights, rules);
  return [...found, ...nearest].toSorted((a, b) => a.step - b.step);
}

function moment(
  insight: Insight,
  at: number,
  rest: Pick<Moment, "kind" | "title" | "detail">,
): Moment {
  const isTurn = ["edit", "stuck", "back", "hint", "near"].includes(rest.kind);
  return { step: at + 1, ...rest, recalled: isTurn ? recalledIn(insight) : [] };
}

/** A call and its result are one to a reader. */
function recalledIn({ recall }: Insight): Moment["recalled"] {
  const byPlace = new Map(
    recall?.nodes.map((node) => {
      const label = labelOf(node);
      return [`${node.turn} ${label}`, { turn: node.turn, label }] as const;
    }),
  );
  return [...byPlace.values()].slice(0, named);
}

function first(
  insights: readonly Insight[],
  kind: Moment["kind"],
  title: string,
  isIt: (insight: Insight) => boolean,
  detail: (insight: Insight) => string,
): readonly Moment[] {
  const at = insights.findIndex(isIt);
  const insight = insights[at];
  return insight ? [moment(insight, at, { kind, title, detail: detail(insight) })] : [];
}

const editsText = ({ edits }: Insight) => edits.slice(0, 3).join(", ");

const heldBack: Record<Suppression, string> = {
  floor: "too early in the episode to turn back",
  cooldown: "too soon after the last turn back",
  depth: "the goal stack is full",
};

/** Steps in a row that are stuck by one signal are one moment; turning back ends it. */
function stuckMoments(insights: readonly Insight[]): readonly Moment[] {
  return insights.flatMap((insight, at) => {
    const { stuck } = insight;
    const before = insights[at - 1]?.stuck;
    if (stuck === null) return [];
    if (stuck.suppressed === null) {
      const title = "Stuck: the plan turns back";
      return [moment(insight, at, { kind: "stuck", title, detail: stuck.reason })];
    }
    const goesOn = before?.signal === stuck.signal && before.suppressed === stuck.suppressed;
    if (goesOn) return [];
    const detail = `${stuck.reason}; ${heldBack[stuck.suppressed]}`;
    return [moment(insight, at, { kind: "stuck", title: "Stuck, held back", detail })];
  });
}

function hintMoment(insight: Insight, at: number): Moment {
  return moment(insight, at, { kind: "hint", title: "Loop", detail: insight.hint ?? "" });
}

type PhaseChange = Extract<PlanEvent, { type: "phase" }>;

function turnsBack(insight: Insight, at: number): readonly Moment[] {
  const isPhase = (phase: string): phase is Phase => phases.some((known) => known === phase);
  const back = insight.log.find(
    (event): event is PhaseChange =>
      event.type === "phase" &&
      isPhase(event.from) &&
      isPhase(event.to) &&
      rankOf(event.to) < rankOf(event.from),
  );
  if (back === undefined) return [];
  const title = `Back from ${back.from} to ${back.to}`;
  return [moment(insight, at, { kind: "back", title, detail: ruleText(insight) })];
}

/** The detector's rule without its number: what the step did. */
function ruleText({ rule }: Insight): string {
  return rule === null ? "" : `because the step ${rule.replace(/^D\w+ /, "")}`;
}

function verdictMoments(insights: readonly Insight[]): readonly Moment[] {
  return insights.flatMap((insight, at) => {
    const { verdict } = insight;
    const before = insights[at - 1]?.verdict ?? "undefined";
    if (verdict === before || verdict === "undefined") return [];
    const says = verdict === "pass" ? "The reproduction passes" : "The reproduction fails";
    return [moment(insight, at, { kind: "verdict", title: says, detail: "" })];
  });
}

/** For an episode that was never stuck: how near it came. */
function nearestMoment(insights: readonly Insight[], rules: StuckConfig): readonly Moment[] {
  const shares = insights.flatMap((insight, at) =>
    stuckSignals.flatMap((signal) => {
      const n = insight.counts[signal];
      return n === undefined ? [] : [{ insight, at, signal, n, share: n / rules[signal] }];
    }),
  );
  const [nearest] = shares.toSorted((a, b) => b.share - a.share || a.at - b.at);
  if (nearest === undefined || nearest.n === 0) return [];
  const { insight, at, signal, n } = nearest;
  const detail = `nearest: ${n} of ${rules[signal]} ${countedBy(signal, rules)}`;
  return [moment(insight, at, { kind: "near", title: "Never stuck", detail })];
}
