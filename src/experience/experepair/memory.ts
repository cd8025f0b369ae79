import type { Bank } from "../../domain/bank.ts";
import type { ExpeRepairConfig } from "../../domain/config/experepair.ts";
import type { Embedder } from "../../domain/embedder.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type {
  Learned,
  LongTermMemory,
  Occasion,
  PastEpisode,
  Recollection,
} from "../../domain/experience.ts";
import type { Say } from "../ask-until-read.ts";
import { rememberStages } from "../episodes/remember-stages.ts";
import { GuardedBank } from "../guarded-bank.ts";
import { renderRepair, tokensFor } from "../render-repair.ts";
import { type Demonstration, type DemonstrationMode, demonstrations } from "./demonstrations.ts";
import { allowedInsights } from "./insight-shelf.ts";
import { type InsightAgent, insightAgents } from "./insights.ts";
import { learnInsights } from "./learn-insights.ts";
import { Meaning } from "./meaning.ts";

export interface ExpeRepairParts {
  readonly bank: Bank;
  readonly config: ExpeRepairConfig;
  readonly strictDates: boolean;
  /** For all demonstrations of one recall. */
  readonly recordTokens: number;
  /** Asks the model that distils insights; null: none are distilled. */
  readonly say: Say | null;
  /** Where the configuration wants demonstrations found by meaning; null: there is no such model. */
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
}

/**
 * ExpeRepair's two memories of one repository (arXiv:2506.10484): demonstrations of tests and
 * patches that came to work, and insights distilled from them.
 */
export function expeRepair(parts: ExpeRepairParts): LongTermMemory {
  const { embedder, signal } = parts;
  const meaning = embedder && new Meaning(embedder, signal);
  return {
    recall: async (occasion) => {
      const bank = new GuardedBank(
        parts.bank,
        { repository: "same", earlier: "all", strict: parts.strictDates },
        occasion.target,
      );
      const insights = parts.config.semantic ? await recallInsights(bank, occasion) : [];
      const records = parts.config.episodic
        ? await recallDemonstrations(bank, occasion, parts, meaning)
        : [];
      return { recollections: [...insights, ...records], denied: bank.denied };
    },
    learn: (episode) => learn(parts, episode),
  };
}

/**
 * Whose insights a moment calls for. In the loop one agent tests and patches, so the first block
 * has those of both; turning back is about the patch. Our choice.
 */
function agentsFor({ phase, entry, role }: Occasion): readonly InsightAgent[] {
  if (role !== undefined) return entry === 1 ? [role] : [];
  if (phase === "backtrack") return ["coder"];
  return entry === 1 ? insightAgents : [];
}

async function recallInsights(
  bank: GuardedBank,
  occasion: Occasion,
): Promise<readonly Recollection[]> {
  const lists = await Promise.all(
    agentsFor(occasion).map((agent) => allowedInsights(bank, occasion.target, agent)),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  );
  return inTurn.flat().map(({ id, text, from }, at) => ({
    id,
    source: "experepair",
    stage: null,
    instanceId: from.instanceId,
    score: 1 / (at + 1),
    text,
  }));
}

/** The modes that an occasion may ask, each only where those before it have nothing. Our choice. */
function modesFor({ phase, refining, failure }: Occasion): readonly DemonstrationMode[] {
  if (phase === "hypothesize") return failure === null ? ["initial"] : ["refine", "initial"];
  return phase === "implement" && refining ? ["patch"] : [];
}

async function recallDemonstrations(
  bank: GuardedBank,
  occasion: Occasion,
  { config, recordTokens }: ExpeRepairParts,
  meaning: Meaning | null,
): Promise<readonly Recollection[]> {
  const { target, failure, attempt = failure ?? "" } = occasion;
  if (config.retriever !== "bm25" && meaning === null) throw noEmbedder(config);
  const retrieval = { ...config, meaning: config.retriever === "bm25" ? null : meaning };
  for (const mode of modesFor(occasion)) {
    const query = { mode, issue: target.issue, output: failure ?? "", attempt };
    const ranked = await demonstrations(bank, query, retrieval);
    const found = ranked.slice(0, config.promptExamples);
    const tokens = tokensFor(recordTokens, found.length);
    if (found.length > 0) return found.map((one) => recollectionOf(one, tokens));
  }
  return [];
}

/** Words in the place of meanings would be another arm. */
function noEmbedder({ retriever }: ExpeRepairConfig): PmcoderError {
  return new PmcoderError(
    "model_unavailable",
    `experience.experepair.retriever is ${retriever}, but no embedding model is configured. Name one in experience.sweExp.embedder.model, or take bm25.`,
  );
}

function recollectionOf({ id, score, memory }: Demonstration, tokens: number): Recollection {
  const { stage, from } = memory;
  const text = renderRepair(memory, tokens);
  return { id, source: "experepair", stage, instanceId: from.instanceId, score, text };
}

async function learn(parts: ExpeRepairParts, episode: PastEpisode): Promise<Learned> {
  const kept = await rememberStages(parts.bank, episode);
  const { say, config, bank, strictDates } = parts;
  if (say === null || !config.semantic) return kept;
  const distilled = await learnInsights({ bank, say, config, strictDates }, episode).catch(
    notDistilled,
  );
  return {
    added: kept.added,
    changed: kept.changed + distilled.changed,
    notes: [...kept.notes, ...distilled.notes],
  };
}

/** A model that cannot be asked takes nothing from what was learned without it. */
function notDistilled(error: unknown): Learned {
  const isModels =
    error instanceof PmcoderError &&
    (error.code === "model_unavailable" || error.code === "context_exhausted");
  if (!isModels) throw error;
  return { added: 0, changed: 0, notes: [`No insights are distilled: ${error.message}`] };
}
