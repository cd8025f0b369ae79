import type { MemoryHead } from "../../domain/bank.ts";
import type { ExpeRepairConfig } from "../../domain/config/experepair.ts";
import type { Stage } from "../../domain/experience.ts";
import { type Idf, okapiIdf, smoothIdf } from "../bm25.ts";
import type { Candidates, Criterion, GuardedBank } from "../guarded-bank.ts";
import { fromBank, label, type RepairField, type RepairMemory } from "../repair-memory.ts";
import { words } from "../tokenize.ts";
import { reduceTraceback } from "../traceback.ts";

/** What a demonstration is wanted for: a first test, a better test, or a better patch. */
export type DemonstrationMode = "initial" | "refine" | "patch";

export interface DemonstrationQuery {
  readonly mode: DemonstrationMode;
  readonly issue: string;
  /** What the newest attempt gave; empty: there was none. */
  readonly output: string;
  /** The newest test or patch; empty: there was none. */
  readonly attempt: string;
}

export interface Demonstration {
  readonly id: string;
  readonly score: number;
  readonly memory: RepairMemory;
}

interface Mode {
  readonly stage: Stage;
  readonly isOne: (head: MemoryHead) => boolean;
  readonly fields: readonly {
    readonly field: RepairField;
    readonly weight: number;
    readonly ask: (query: DemonstrationQuery) => string;
  }[];
}

const corrects = ({ labels }: MemoryHead) => labels.includes(label.corrects);
const ofIssue = ({ issue }: DemonstrationQuery) => issue;
const ofOutput = ({ output }: DemonstrationQuery) => reduceTraceback(output);
const ofAttempt = ({ attempt }: DemonstrationQuery) => attempt;

/** Which memories a mode looks at, and how it weighs their fields (the public code of ExpeRepair). */
const modes: Readonly<Record<DemonstrationMode, Mode>> = {
  initial: {
    stage: "rep",
    isOne: (head) => !corrects(head),
    fields: [
      { field: "issue", weight: 0.6, ask: ofIssue },
      { field: "artifact", weight: 0.4, ask: ofIssue },
    ],
  },
  refine: {
    stage: "rep",
    isOne: corrects,
    fields: [
      { field: "feedback", weight: 0.9, ask: ofOutput },
      { field: "failed", weight: 0.1, ask: ofAttempt },
    ],
  },
  patch: {
    stage: "ref",
    isOne: corrects,
    fields: [
      { field: "issue", weight: 0.7, ask: ofIssue },
      { field: "failed", weight: 0.3, ask: ofAttempt },
    ],
  },
};

/** Of the best so many, each issue is taken once (the public code of ExpeRepair). */
const shortlist = 10;

/** The demonstrations that help most, best first, each of another issue. */
export async function demonstrations(
  bank: GuardedBank,
  query: DemonstrationQuery,
  { k, okapiCompat }: Pick<ExpeRepairConfig, "k" | "okapiCompat">,
): Promise<readonly Demonstration[]> {
  const { stage, isOne } = modes[query.mode];
  const candidates = await bank.candidates({ system: "experepair", kind: stage }, isOne);
  const ranked = rankDemonstrations(candidates, query, okapiCompat ? okapiIdf : smoothIdf);
  return opened(bank, ranked.slice(0, k));
}

/** The shortlist of candidates, best first, each issue once; ties stand in the order learned. */
export function rankDemonstrations(
  candidates: Candidates,
  query: DemonstrationQuery,
  idf: Idf,
): readonly { readonly head: MemoryHead; readonly score: number }[] {
  const criteria = modes[query.mode].fields.map(
    ({ field, weight, ask }): Criterion => ({ field, weight, query: words(ask(query)) }),
  );
  const best = candidates.best(candidates.relevance(criteria, idf), shortlist);
  const issues = new Set<string>();
  return best.filter(({ head }) => {
    const isNew = !issues.has(head.origin.issueKey);
    issues.add(head.origin.issueKey);
    return isNew;
  });
}

async function opened(
  bank: GuardedBank,
  ranked: readonly { readonly head: MemoryHead; readonly score: number }[],
): Promise<readonly Demonstration[]> {
  const found = await bank.read({ ids: ranked.map(({ head }) => head.id) });
  const byId = new Map(found.map((one) => [one.id, fromBank(one)]));
  return ranked.flatMap(({ head, score }) => {
    const memory = byId.get(head.id) ?? null;
    return memory === null ? [] : [{ id: head.id, score, memory }];
  });
}
