import { createHash } from "node:crypto";
import type { Bank, NewMemory } from "../../domain/bank.ts";
import type { ExpeRepairConfig } from "../../domain/config/experepair.ts";
import type { Learned, PastEpisode } from "../../domain/experience.ts";
import type { Say } from "../ask-until-read.ts";
import { stageMemories } from "../episodes/learn-stages.ts";
import { distil } from "./distil.ts";
import { insightsUpTo, shelveInsights } from "./insight-shelf.ts";
import { insightAgents } from "./insights.ts";

export interface InsightParts {
  readonly bank: Bank;
  readonly say: Say;
  readonly config: ExpeRepairConfig;
  readonly strictDates: boolean;
}

const nothing: Learned = { added: 0, changed: 0, notes: [] };

/**
 * Changes the insights of a repository by what an episode teaches, once an episode. A reply that
 * cannot be read changes nothing, and the episode may be asked about again. Rejects as the bank and
 * `say` do.
 */
export async function learnInsights(
  { bank, say, config, strictDates }: InsightParts,
  episode: PastEpisode,
): Promise<Learned> {
  const { from, source } = episode;
  if (from.repo === null) {
    return {
      ...nothing,
      notes: [`${source}: insights are kept by repository, and it names none.`],
    };
  }
  const mark = markOf(episode);
  const marks = await bank.read({ system: "experepair", kind: mark.kind, repo: from.repo });
  if (marks.some(({ payload }) => payload === mark.payload)) return nothing;
  const { repo } = from;
  const [tester, coder] = await Promise.all([
    insightsUpTo(bank, { ...from, repo }, "tester", strictDates),
    insightsUpTo(bank, { ...from, repo }, "coder", strictDates),
  ]);
  const shown = { tester, coder };
  const texts = { tester: tester.map(({ text }) => text), coder: coder.map(({ text }) => text) };
  const changes = await distil(say, episode, stageMemories(episode), texts, config);
  if (typeof changes === "string") {
    return { ...nothing, notes: [`${source}: no insights were distilled, ${changes}.`] };
  }
  let changed = 0;
  const notes: string[] = [];
  for (const agent of insightAgents) {
    const batch = { repo, agent, shown: shown[agent], changes: changes[agent] };
    const shelved = await shelveInsights(bank, { ...batch, from, learnedFrom: source }, config);
    changed += shelved.changed;
    notes.push(...shelved.ignored.map((why) => `${source}: ${agent}, ${why}`));
  }
  await bank.add([mark]);
  return { added: 0, changed, notes };
}

/** What is kept of an episode that was distilled, so that it is not distilled again. */
function markOf({ from, steps, patch, source }: PastEpisode): NewMemory & { payload: string } {
  const hash = createHash("sha256").update(JSON.stringify([from.issue, steps, patch]));
  return {
    system: "experepair",
    kind: "distilled",
    from,
    payload: hash.digest("hex"),
    labels: [],
    terms: {},
    learnedFrom: source,
  };
}
