import { existsSync } from "node:fs";
import type { Bank } from "../domain/bank.ts";
import type { Experience } from "../domain/briefing.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Embedder } from "../domain/embedder.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { ExperienceName, IssueIdentity, LongTermMemory } from "../domain/experience.ts";
import type { Model } from "../domain/model.ts";
import { adaRepair } from "../experience/adarepair/memory.ts";
import type { Say } from "../experience/ask-until-read.ts";
import { briefingOf } from "../experience/brief.ts";
import { type CombinedMemory, combine, type NamedMemory } from "../experience/combine.ts";
import { expeRepair } from "../experience/experepair/memory.ts";
import { sweExpMemory } from "../experience/swe-exp/memory.ts";
import { openEmbedder } from "../models/open-embedder.ts";
import { openBank } from "../store/experience-bank.ts";
import { inMemory } from "../store/open-database.ts";
import type { Closing } from "./closing.ts";
import { systemClock } from "./compose.ts";
import { composeRepoMem, type Ground } from "./compose-repomem.ts";
import type { Io } from "./io.ts";
import { keysOf } from "./keys.ts";
import { bankPlace } from "./places.ts";

/** What the memories of a run are made of. */
interface Ingredients {
  readonly bank: Bank;
  readonly embedder: Embedder | null;
  readonly config: RunConfig;
  readonly ground: Ground | null;
  readonly signal: AbortSignal;
  /** Takes a sentence that people must see. */
  readonly warn: (text: string) => void;
}

/** null: it needs what is not there. */
type Make = (ingredients: Ingredients, model: Model) => LongTermMemory | null;

const makers: Readonly<Record<ExperienceName, Make>> = {
  repomem: ({ config, ground, warn }) =>
    ground && composeRepoMem(config.experience.repomem, ground, warn),
  experepair: ({ bank, embedder, config, signal }, model) =>
    expeRepair({
      bank,
      config: config.experience.experepair,
      ...shared(config),
      say: distiller(model, config, signal),
      embedder,
      signal,
    }),
  adarepair: ({ bank, config }) =>
    adaRepair({ bank, config: config.experience.adarepair, ...shared(config) }),
  "swe-exp": ({ bank, embedder, config, signal, warn }, model) =>
    sweExpMemory({
      bank,
      model,
      embedder,
      config: config.experience.sweExp,
      ...shared(config),
      maxOutputTokens: config.model.maxOutputTokens,
      signal,
      warn,
    }),
};

const shared = ({ experience: { strictDates, budgets } }: RunConfig) => ({
  strictDates,
  recordTokens: budgets.records,
});

function distiller(model: Model, config: RunConfig, signal: AbortSignal): Say {
  const { maxOutputTokens } = config.model;
  return async (messages) => {
    const request = { purpose: "distil", messages, tools: [], maxOutputTokens } as const;
    const { message } = await model.complete(request, { signal, onRetry: () => {} });
    return message.content;
  };
}

/** Memories across issues that are open for a run. */
export interface OpenExperience {
  readonly experience: Experience;
  readonly bank: Bank;
  /** The bank's file. */
  readonly file: string;
  /** All of them as one, with `model` to answer their questions. */
  readonly memory: (model: Model) => CombinedMemory;
}

export interface Around {
  readonly io: Pick<Io, "env" | "cwd" | "stderr">;
  readonly signal: AbortSignal;
  readonly closing: Closing;
  /** The repository that a run works on; left out outside of a run. */
  readonly ground?: Ground;
}

/** Whether anything but the repository's own history is asked for. */
const wantsBank = (names: readonly ExperienceName[]) => names.some((name) => name !== "repomem");

/**
 * The memories that a configuration names; null: none. Rejects with PmcoderError `storage` when the
 * bank cannot be opened, and `model_unavailable` without a key for the embedding model.
 */
export async function composeExperience(
  config: RunConfig,
  target: IssueIdentity,
  { io, signal, closing, ground }: Around,
): Promise<OpenExperience | null> {
  const { names, bank: given, budgets, sweExp } = config.experience;
  if (names.length === 0) return null;
  const file = wantsBank(names) ? bankPlace(given, io) : inMemory;
  const bank = openBank(file, systemClock);
  closing.add(() => bank.close());
  const embedder = wantsEmbedder(config.experience)
    ? await openEmbedder(sweExp.embedder, config.model, keysOf(io.env), systemClock)
    : null;
  const warn = (text: string) => void io.stderr.write(`${text}\n`);
  const ingredients = { bank, embedder, config, ground: ground ?? null, signal, warn };
  const open = (model: Model): readonly NamedMemory[] =>
    names.flatMap((name) => {
      const memory = makers[name](ingredients, model);
      return memory === null ? [] : [{ name, memory }];
    });
  return {
    experience: { target, open: (model) => briefingOf(open(model), budgets) },
    bank,
    file,
    memory: (model) => combine(open(model)),
  };
}

function wantsEmbedder({ names, experepair }: RunConfig["experience"]): boolean {
  const byMeaning = names.includes("experepair") && experepair.retriever !== "bm25";
  return byMeaning || names.includes("swe-exp");
}

/**
 * What of an experiment's memories can be checked before its first run. Throws PmcoderError `usage`
 * where no bank is named, so that nobody's own is read, or where it is missing.
 */
export function requireBank({ arm, experience: { names, bank } }: RunConfig): void {
  if (!wantsBank(names)) return;
  const wants = `The arm ${arm} recalls from ${names.join(", ")}`;
  if (bank === null) {
    throw new PmcoderError(
      "usage",
      `${wants}, but its experiment names no bank. Add experience: {bank: FILE} to the experiment.`,
    );
  }
  if (existsSync(bank)) return;
  throw new PmcoderError(
    "usage",
    `${wants}, but its bank is not there: ${bank}. Make one first with pmcoder experience learn --bank FILE.`,
  );
}
