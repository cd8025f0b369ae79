import { z } from "zod";
import type { Bank, Memory, NewMemory } from "../../domain/bank.ts";
import type { IssueIdentity } from "../../domain/experience.ts";
import { type Origin, originOf } from "../../domain/origin.ts";
import type { GuardedBank } from "../guarded-bank.ts";
import { denialOf } from "../leak-guard.ts";
import {
  changeInsights,
  type InsightAgent,
  type InsightChange,
  type InsightRules,
} from "./insights.ts";

const Payload = z.object({
  text: z.string(),
  /** Every issue that had a part in it, so that none of them is shown it. */
  sources: z.array(
    z.object({
      instanceId: z.string().nullable(),
      repo: z.string().nullable(),
      createdAt: z.number().nullable(),
      issueKey: z.string(),
    }),
  ),
});

export interface Insight {
  readonly text: string;
  readonly sources: readonly Origin[];
  /** The issue that wrote it as it stands, and where that was learned. */
  readonly from: IssueIdentity;
  readonly learnedFrom: string;
}

export interface ShelvedInsight extends Insight {
  readonly id: string;
}

export const insightKind = (agent: InsightAgent) => `insight:${agent}` as const;

/** null: it is no insight, or another version wrote it. */
export function insightIn({
  id,
  from,
  learnedFrom,
  payload,
}: Pick<Memory, "id" | "from" | "learnedFrom" | "payload">): ShelvedInsight | null {
  const { data } = Payload.safeParse(payload);
  return data === undefined ? null : { id, from, learnedFrom, ...data };
}

/** The insights for an agent on a repository, oldest first. */
export async function insightsOf(
  bank: Pick<Bank, "read">,
  repo: string,
  agent: InsightAgent,
): Promise<readonly ShelvedInsight[]> {
  const found = await bank.read({ system: "experepair", kind: insightKind(agent), repo });
  return found.flatMap((one) => insightIn(one) ?? []);
}

/** Those of the target's repository that none of the target's like had a part in. */
export async function allowedInsights(
  bank: GuardedBank,
  { repo }: IssueIdentity,
  agent: InsightAgent,
): Promise<readonly ShelvedInsight[]> {
  if (repo === null) return [];
  const found = await bank.read({ system: "experepair", kind: insightKind(agent), repo });
  const insights = found.flatMap((one) => insightIn(one) ?? []);
  return insights.filter(({ sources }) => sources.every((source) => bank.allows(source)));
}

/**
 * Those that a distillation of an issue's episode may see: its own, and those of earlier issues
 * alone, since a lesson that it adds may say again what it was shown, and goes back to it alone.
 */
export async function insightsUpTo(
  bank: Pick<Bank, "read">,
  from: IssueIdentity & { readonly repo: string },
  agent: InsightAgent,
  strict: boolean,
): Promise<readonly ShelvedInsight[]> {
  const own = originOf(from);
  const isKnownThen = (source: Origin) => {
    const denial = denialOf({ repository: "same", earlier: "all", strict }, source, own);
    return denial === null || denial === "same_instance" || denial === "same_issue";
  };
  const insights = await insightsOf(bank, from.repo, agent);
  return insights.filter(({ sources }) => sources.every(isKnownThen));
}

/** An insight as the bank takes it. */
export function insightMemory(
  { text, sources, from, learnedFrom }: Insight,
  agent: InsightAgent,
): NewMemory {
  return {
    system: "experepair",
    kind: insightKind(agent),
    from,
    payload: { text, sources: sources.map((source) => ({ ...source })) },
    labels: [],
    terms: {},
    learnedFrom,
  };
}

export interface InsightBatch {
  readonly repo: string;
  readonly agent: InsightAgent;
  /** What the numbers of the changes refer to. */
  readonly shown: readonly ShelvedInsight[];
  readonly changes: readonly InsightChange[];
  readonly from: IssueIdentity;
  readonly learnedFrom: string;
}

/** Others may change the list meanwhile; so often it is read again (our choice). */
const rounds = 20;

/**
 * Makes a batch of changes to the list as it stands by now: numbers are followed to the insights
 * that were shown, and what is gone is ignored. Gives how many insights differ, and what was ignored.
 */
export async function shelveInsights(
  bank: Bank,
  { repo, agent, shown, changes, from, learnedFrom }: InsightBatch,
  rules: InsightRules,
): Promise<{ readonly changed: number; readonly ignored: readonly string[] }> {
  for (let round = 0; round < rounds; round += 1) {
    const current = await insightsOf(bank, repo, agent);
    const { insights, ignored } = changeInsights<Insight>(
      current,
      changes.map((change) => renumbered(change, shown, current)),
      rules,
      (text, before) => ({
        text,
        sources: withSource(before?.sources ?? [], originOf(from)),
        from,
        learnedFrom,
      }),
    );
    const isReplaced = await bank.replace(
      { system: "experepair", kind: insightKind(agent), repo },
      current.map(({ id }) => id),
      insights.map((insight) => insightMemory(insight, agent)),
    );
    if (!isReplaced) continue;
    const kept = insights.filter((insight) => current.some((one) => one === insight)).length;
    return { changed: insights.length - kept + (current.length - kept), ignored };
  }
  return { changed: 0, ignored: ["the insights kept changing; none of these changes was made"] };
}

/** The same change of the list as it stands; a number that leads nowhere becomes null. */
function renumbered(
  change: InsightChange,
  shown: readonly ShelvedInsight[],
  current: readonly ShelvedInsight[],
): InsightChange {
  if (change.number === null) return change;
  const id = shown[change.number - 1]?.id;
  const at = current.findIndex((one) => one.id === id);
  return { ...change, number: at === -1 ? null : at + 1 };
}

function withSource(sources: readonly Origin[], source: Origin): readonly Origin[] {
  return sources.some(({ issueKey }) => issueKey === source.issueKey)
    ? sources
    : [...sources, source];
}
