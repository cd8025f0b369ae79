import type { MemoryHead } from "../../domain/bank.ts";
import type { AdaRepairConfig } from "../../domain/config/adarepair.ts";
import type { Stage } from "../../domain/experience.ts";
import type { Candidates, Criterion, GuardedBank } from "../guarded-bank.ts";
import {
  fromBank,
  label,
  lengthOf,
  type RepairField,
  type RepairMemory,
  repairTypeOf,
} from "../repair-memory.ts";
import { words } from "../tokenize.ts";
import { reduceTraceback } from "../traceback.ts";
import { coverPool, type Pool } from "./coverage.ts";
import { type Rated, selectByQuality } from "./quality.ts";

export interface SelectionQuery {
  readonly repo: string | null;
  readonly issue: string;
  /** The newest failing output; null: none. */
  readonly failure: string | null;
  /** What gave it; left out: not at hand. */
  readonly attempt?: string | undefined;
  /** null: of all stages. */
  readonly stage: Stage | null;
}

export interface Selected {
  readonly id: string;
  readonly score: number;
  readonly memory: RepairMemory;
}

/** What was chosen, and from how wide a pool. */
export interface Selection {
  readonly selected: readonly Selected[];
  readonly pool: Pool<MemoryHead>;
}

type Weights = readonly (readonly [RepairField, number])[];

/**
 * Fields and weights of BM25 by stage. Reproduction and refinement are ExpeRepair's; the others are
 * our choice, as is asking feedback where there is some.
 */
const weightsOf: Readonly<Record<Stage, Weights>> = {
  rep: [
    ["issue", 0.6],
    ["artifact", 0.4],
  ],
  loc: [["issue", 1]],
  gen: [
    ["issue", 0.7],
    ["artifact", 0.3],
  ],
  ref: [
    ["issue", 0.7],
    ["failed", 0.3],
  ],
  val: [
    ["issue", 0.7],
    ["artifact", 0.3],
  ],
};
const anyStage: Weights = weightsOf.gen;
const byFeedback: Weights = [
  ["feedback", 0.9],
  ["failed", 0.1],
];

/**
 * Candidates whose texts are opened for each that is chosen, as comparing each with each takes time:
 * of a larger pool those of the most relevance and utility, which make up most of quality. Our choice.
 */
const openedPerChoice = 10;

/**
 * Chooses memories for a stage: where from (CAR), which (QAS), and, by what `query.stage` is, when
 * (SAR). Without CAR the own repository alone is asked; without QAS relevance alone decides.
 */
export async function selectMemories(
  bank: GuardedBank,
  query: SelectionQuery,
  config: AdaRepairConfig,
): Promise<Selection> {
  const place = { system: "experepair", ...(query.stage && { kind: query.stage }) } as const;
  const all = await bank.candidates(place, isRepair);
  const criteria = criteriaOf(query);
  const pool = coverPool(shelvesOf(all, query, criteria), {
    kSame: config.car ? config.kSame : 0,
    kCross: config.kCross,
    isAdmitted: has(label.admitted),
    idOf: ({ id }) => id,
    contentOf: ({ id, labels }) => labels.find((one) => one.startsWith(label.content(""))) ?? id,
  });
  const ids = new Set(pool.candidates.map(({ id }) => id));
  const inPool = all.narrow(({ id }) => ids.has(id));
  const relevance = inPool.relevance(criteria);
  const scores = new Map(inPool.heads.map(({ id }, at) => [id, relevance[at] ?? 0]));
  const best = config.qas
    ? inPool.best(promiseOf(inPool, relevance, config), openedPerChoice * config.topN)
    : inPool.best(relevance, config.topN);
  const found = await bank.read({ ids: best.map(({ head }) => head.id) });
  const rated = rate(found, scores, pool.candidates, config);
  return { selected: config.qas ? byQuality(rated, config) : byRelevance(rated), pool };
}

const isRepair = ({ kind }: MemoryHead) => kind in weightsOf;
const has =
  (name: string) =>
  ({ labels }: MemoryHead) =>
    labels.includes(name);

function criteriaOf({ stage, issue, failure, attempt }: SelectionQuery): readonly Criterion[] {
  const asksFeedback = stage === "ref" && failure !== null;
  const weights = asksFeedback ? byFeedback : stage === null ? anyStage : weightsOf[stage];
  const asked = (field: RepairField) => {
    if (!asksFeedback) return issue;
    return field === "failed" ? (attempt ?? failure) : reduceTraceback(failure);
  };
  return weights.map(([field, weight]) => ({ field, weight, query: words(asked(field)) }));
}

function shelvesOf(
  all: Candidates,
  { repo, issue }: SelectionQuery,
  criteria: readonly Criterion[],
) {
  const own = repo?.toLowerCase() ?? null;
  const isOwn = ({ origin }: MemoryHead) => own !== null && origin.repo?.toLowerCase() === own;
  const bestOf = (keep: (head: MemoryHead) => boolean, most: number) => {
    const some = all.narrow(keep);
    return some.best(some.relevance(criteria), most).map(({ head }) => head);
  };
  return {
    same: all.heads.filter(isOwn),
    cross: (most: number) => bestOf((head) => !isOwn(head), most),
    typed: (most: number) => bestOf(has(label.type(repairTypeOf(issue))), most),
  };
}

/** What quality is at least, but for likeness. */
function promiseOf(
  { heads }: Candidates,
  relevance: Float64Array,
  { weights }: AdaRepairConfig,
): Float64Array {
  return relevance.map((score, at) => {
    const head = heads[at];
    const utility = head === undefined ? 0 : utilityOf(head);
    return weights.relevance * score + weights.utility * utility;
  });
}

interface RatedMemory extends Selected, Rated {}

/** What quality needs of each, in the order in which the pool was loaded. */
function rate(
  found: Awaited<ReturnType<GuardedBank["read"]>>,
  scores: ReadonlyMap<string, number>,
  pool: readonly MemoryHead[],
  { fullLength }: AdaRepairConfig,
): readonly RatedMemory[] {
  const byId = new Map(found.map((one) => [one.id, fromBank(one)]));
  return pool.flatMap((head) => {
    const { id } = head;
    const memory = byId.get(id) ?? null;
    if (memory === null) return [];
    const relevance = scores.get(id) ?? 0;
    return {
      id,
      memory,
      score: relevance,
      relevance,
      utility: utilityOf(head),
      specificity: Math.min(1, lengthOf(memory) / fullLength),
      words: new Set(words(`${memory.from.issue}\n${memory.artifact}`)),
    };
  });
}

/** 1 of a success, half of what got half the way. The paper has a success indicator. */
function utilityOf(head: MemoryHead): number {
  if (has(label.verified)(head)) return 1;
  return has(label.reproduced)(head) || has(label.applied)(head) ? 0.5 : 0;
}

function byQuality(rated: readonly RatedMemory[], config: AdaRepairConfig): readonly Selected[] {
  return selectByQuality(rated, config).map(({ one, quality }) => ({ ...one, score: quality }));
}

const byRelevance = (rated: readonly RatedMemory[]) =>
  rated.toSorted((one, other) => other.relevance - one.relevance);
