import type { Bank, Memory } from "../../domain/bank.ts";
import type { LeakageMode, SweExpMemoryConfig } from "../../domain/config/swe-exp-memory.ts";
import type { Embedder } from "../../domain/embedder.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type {
  IssueIdentity,
  LongTermMemory,
  Occasion,
  PastEpisode,
  Recalled,
  Recollection,
} from "../../domain/experience.ts";
import type { Model, Purpose } from "../../domain/model.ts";
import { originOf } from "../../domain/origin.ts";
import { askUntilRead, type Say } from "../ask-until-read.ts";
import { GuardedBank } from "../guarded-bank.ts";
import type { GuardRules } from "../leak-guard.ts";
import { type Experience, experienceIn, memoryOf, packed, shelf } from "./experience.ts";
import { extractFacets, typeIssue } from "./extract.ts";
import { type IssueType, indexText } from "./issue-type.ts";
import { Nearest } from "./nearest.ts";
import { type Candidate, Ranking, ranked, rerankQuestion } from "./rerank.ts";

export interface SweExpParts {
  readonly bank: Bank;
  /** Types issues, ranks experiences and extracts them. */
  readonly model: Model;
  /** null: there is none, and BM25 stands in. */
  readonly embedder: Embedder | null;
  readonly config: SweExpMemoryConfig;
  readonly strictDates: boolean;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** Takes a sentence that people must see. */
  readonly warn: (text: string) => void;
}

/** What an experience is used for: to understand an issue, or to repair it. */
type Facet = "perspective" | "modification";

interface Chosen extends Candidate {
  readonly from: IssueIdentity;
}

/**
 * SWE-Exp's experience bank (arXiv:2507.23361): what kind of issue it is, the experiences nearest
 * to that, and the one that a model picks among them; its perspective for exploring, its
 * modification for repairing.
 */
export function sweExpMemory(parts: SweExpParts): LongTermMemory {
  const { config, embedder, signal, warn } = parts;
  const nearest = new Nearest(embedder, signal, warn);
  const known = new Map<string, Awaited<ReturnType<typeof choose>>>();
  return {
    recall: async ({ target, phase }): Promise<Recalled> => {
      const facet = facetFor(phase, config);
      if (facet === null || config.k === 0) return { recollections: [], denied: {} };
      const key = JSON.stringify(originOf(target));
      const found = known.get(key) ?? (await choose(parts, nearest, target));
      known.set(key, found);
      const recollections = found.chosen.map((one) => recollectionOf(one, facet, config));
      return { recollections, denied: found.denied };
    },
    learn: (episode) => {
      known.clear();
      return learn(parts, episode);
    },
  };
}

function facetFor(phase: Occasion["phase"], config: SweExpMemoryConfig): Facet | null {
  if (phase === "explore" && config.comprehension) return "perspective";
  if (phase === "implement" && config.modification) return "modification";
  return null;
}

function guardRules(mode: LeakageMode, strict: boolean): GuardRules {
  switch (mode) {
    case "strict":
      return { repository: "other", earlier: "all", strict };
    case "temporalSameRepo":
      return { repository: "any", earlier: "same_repository", strict };
    case "codeCompat":
      return { repository: "other", earlier: "none", strict };
  }
}

/** Ten nearest, then the one that a model picks. */
async function choose(
  parts: SweExpParts,
  nearest: Nearest,
  target: IssueIdentity,
): Promise<{ readonly chosen: readonly Chosen[]; readonly denied: Recalled["denied"] }> {
  const { config, strictDates } = parts;
  const bank = new GuardedBank(parts.bank, guardRules(config.leakage, strictDates), target);
  const isInBank = await sample(parts);
  const candidates = await bank.candidates(shelf, ({ id }) => isInBank(id));
  if (candidates.heads.length === 0) return { chosen: [], denied: bank.denied };
  const type = await typeOf(parts, target.issue);
  const near = await nearest.find(type === null ? target.issue : indexText(type), {
    candidates,
    bank,
    most: Math.max(config.candidates, config.k),
  });
  const memories = await bank.read({ ids: near.map(({ id }) => id) });
  const found = memories.flatMap((memory) => chosenFrom(memory, near));
  return { chosen: await pick(parts, target.issue, type, found), denied: bank.denied };
}

/** Which memories count, where the bank is to be smaller: those whose ids come first. */
async function sample({ bank, config }: SweExpParts): Promise<(id: string) => boolean> {
  if (config.bankSize === null) return () => true;
  const { heads } = await bank.corpus(shelf);
  const ids = new Set(
    heads
      .map(({ id }) => id)
      .sort()
      .slice(0, config.bankSize),
  );
  return (id) => ids.has(id);
}

function chosenFrom(memory: Memory, near: readonly { id: string; score: number }[]) {
  const experience = experienceIn(memory);
  const score = near.find(({ id }) => id === memory.id)?.score ?? 0;
  return experience === null ? [] : [{ id: memory.id, score, experience, from: memory.from }];
}

async function typeOf(parts: SweExpParts, issue: string): Promise<IssueType | null> {
  const { issueChars, tries } = parts.config;
  const typed = await typeIssue(
    { issue, issueChars, patch: "" },
    { say: sayAs(parts, "type"), tries },
  );
  return typed.ok ? typed.value : null;
}

async function pick(
  parts: SweExpParts,
  issue: string,
  type: IssueType | null,
  found: readonly Chosen[],
): Promise<readonly Chosen[]> {
  const { rerank, tries, k, issueChars } = parts.config;
  if (!rerank || found.length <= 1) return found.slice(0, k);
  const kind = type ?? { issue_type: "UnknownError", description: "" };
  const question = rerankQuestion(issue.slice(0, issueChars), kind, found, k);
  const ranking = await askUntilRead(sayAs(parts, "rerank"), question, Ranking, tries);
  return ranked(ranking.ok ? ranking.value : null, found, k);
}

function recollectionOf(
  { id, score, experience, from }: Chosen,
  facet: Facet,
  { extraction }: SweExpMemoryConfig,
): Recollection {
  const stage = facet === "perspective" ? "loc" : "gen";
  const text = extraction ? facetText(experience, facet) : demonstration(experience, from);
  return { id, source: "swe-exp", stage, instanceId: from.instanceId, score, text };
}

const openings: Readonly<Record<Experience["flag"], string>> = {
  success: "",
  failed: "An attempt at such an issue failed. Its lesson: ",
};

function facetText(experience: Experience, facet: Facet): string {
  return `${openings[experience.flag]}${experience[facet].join("\n")}`;
}

/** Characters of each part of a demonstration. Our choice. */
const demonstrationChars = 4000;

function demonstration({ patch }: Experience, { issue }: IssueIdentity): string {
  return `Issue: ${issue.slice(0, demonstrationChars)}\nPatch:\n${patch.slice(0, demonstrationChars)}`;
}

/** One experience from one episode. A bank that knows the episode stays as it is. */
async function learn(parts: SweExpParts, episode: PastEpisode) {
  const nothing = (...notes: readonly string[]) => ({ added: 0, changed: 0, notes });
  const known = await parts.bank.read(shelf);
  if (known.some(({ learnedFrom }) => learnedFrom === episode.source)) return nothing();
  if (episode.steps.length === 0) return nothing("The episode has no steps to learn from.");
  if (episode.resolved && episode.patch === "") return nothing("The episode has no patch.");
  const { issueChars, rolloutChars, tries } = parts.config;
  const asking = { say: sayAs(parts, "distil"), tries };
  const patch = `${episode.patch}\n${episode.goldPatch ?? ""}`;
  const typed = await typeIssue(
    { issue: episode.from.issue, issueChars, patch },
    { say: sayAs(parts, "type"), tries },
  );
  if (!typed.ok) return nothing(`The issue could not be typed: ${typed.problem}.`);
  const facets = await extractFacets({ episode, issueChars, rolloutChars }, asking);
  if (!facets.ok) return nothing(`No experience could be read: ${facets.problem}.`);
  const experience: Experience = {
    flag: episode.resolved ? "success" : "failed",
    ...typed.value,
    perspective: [...facets.value.perspective],
    modification: [...facets.value.modification],
    patch: episode.resolved ? episode.patch : (episode.goldPatch ?? episode.patch),
    embedding: await embeddingOf(parts, typed.value),
  };
  const [added] = await parts.bank.add([memoryOf(experience, episode)]);
  return { added: added?.isNew ? 1 : 0, changed: 0, notes: [] };
}

/** null where no model answers: what was learned is paid for, and a recall embeds what has no vector. */
async function embeddingOf({ embedder, signal, warn }: SweExpParts, type: IssueType) {
  if (embedder === null) return null;
  try {
    const [vector = []] = await embedder.embed([indexText(type)], "document", signal);
    return { name: embedder.name, vector: packed(vector) };
  } catch (error) {
    if (!(error instanceof PmcoderError) || error.code !== "model_unavailable") throw error;
    warn(`The experience is kept without a vector: ${error.message}`);
    return null;
  }
}

function sayAs({ model, maxOutputTokens, signal }: SweExpParts, purpose: Purpose): Say {
  return async (messages) => {
    const request = { purpose, messages, tools: [], maxOutputTokens };
    const { message } = await model.complete(request, { signal, onRetry: () => {} });
    return message.content;
  };
}
