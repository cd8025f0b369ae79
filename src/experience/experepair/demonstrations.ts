import type { MemoryHead } from "../../domain/bank.ts";
import type { ExpeRepairConfig } from "../../domain/config/experepair.ts";
import type { Stage } from "../../domain/experience.ts";
import { okapiIdf, smoothIdf } from "../bm25.ts";
import type { Candidates, Criterion, GuardedBank } from "../guarded-bank.ts";
import { fromBank, label, type RepairField, type RepairMemory } from "../repair-memory.ts";
import { words } from "../tokenize.ts";
import { reduceTraceback } from "../traceback.ts";
import type { Meaning, Wanted } from "./meaning.ts";

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
  { k, meaning, ...config }: Retrieval,
): Promise<readonly Demonstration[]> {
  const { stage, isOne } = modes[query.mode];
  const candidates = await bank.candidates({ system: "experepair", kind: stage }, isOne);
  const wanted = wantedBy(query);
  const byWords = relevanceOf(candidates, wanted, config);
  const byMeaning = meaning && (await meaning.relevance(candidates, bank, wanted));
  const scores = byMeaning === null ? byWords : mixed(byWords, byMeaning, config);
  return opened(bank, rankDemonstrations(candidates, scores).slice(0, k));
}

/** How demonstrations are found; `meaning` null: by words alone. */
export interface Retrieval extends Pick<ExpeRepairConfig, "k" | "okapiCompat" | "retriever"> {
  readonly meaning: Meaning | null;
}

function wantedBy(query: DemonstrationQuery): readonly Wanted[] {
  return modes[query.mode].fields.map(({ field, weight, ask }) => ({
    field,
    weight,
    text: ask(query),
  }));
}

/** Σ weight · min-max of the field's BM25. */
function relevanceOf(
  candidates: Candidates,
  wanted: readonly Wanted[],
  { okapiCompat }: Pick<ExpeRepairConfig, "okapiCompat">,
): Float64Array {
  const criteria = wanted.map(
    ({ field, weight, text }): Criterion => ({ field, weight, query: words(text) }),
  );
  return candidates.relevance(criteria, okapiCompat ? okapiIdf : smoothIdf);
}

/** The paper does not say how its hybrid weighs the two; ours is their mean. */
function mixed(
  byWords: Float64Array,
  byMeaning: Float64Array,
  { retriever }: Pick<ExpeRepairConfig, "retriever">,
): Float64Array {
  if (retriever === "embedding") return byMeaning;
  return byWords.map((score, at) => (score + (byMeaning[at] ?? 0)) / 2);
}

/** The shortlist of candidates, best first, each issue once; ties stand in the order learned. */
function rankDemonstrations(
  candidates: Candidates,
  scores: Float64Array,
): readonly { readonly head: MemoryHead; readonly score: number }[] {
  const issues = new Set<string>();
  return candidates.best(scores, shortlist).filter(({ head }) => {
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
