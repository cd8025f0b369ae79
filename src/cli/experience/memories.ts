import type { Bank } from "../../domain/bank.ts";
import type { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { IssueIdentity } from "../../domain/experience.ts";
import { free, type Model } from "../../domain/model.ts";
import type { CombinedMemory } from "../../experience/combine.ts";
import { openModel } from "../../models/open-model.ts";
import { systemClock } from "../compose.ts";
import { type Around, composeExperience } from "../compose-experience.ts";
import { gatherSettings } from "../config-file.ts";
import type { Io } from "../io.ts";
import { keysOf } from "../keys.ts";
import { mergeConfig } from "../merge-config.ts";
import type { Setting } from "../settings.ts";
import { counting } from "../write-back.ts";

/** Flags of `experience` commands that stand for a key of the configuration. */
export interface MemoryFlags {
  readonly config: readonly string[];
  readonly experience?: string | undefined;
  readonly bank?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

const keys = [
  ["bank", "experience.bank", "--bank"],
  ["model", "model.name", "--model"],
  ["baseUrl", "model.baseUrl", "--base-url"],
] as const;

/**
 * The configuration under a command's flags; `names`: whose memories are meant unless `--experience`
 * says so. Throws PmcoderError `usage`.
 */
export function memoryConfig(
  flags: MemoryFlags,
  names: RunConfig["experience"]["names"],
  { env, cwd }: Io,
): RunConfig {
  const given = keys.flatMap(([flag, key, source]): readonly Setting[] => {
    const value = flags[flag];
    return value === undefined ? [] : [{ path: key.split("."), value, source }];
  });
  const named = {
    path: ["experience", "names"],
    value: flags.experience?.split(",").map((name) => name.trim()) ?? names,
    source: "--experience",
  };
  const settings = { env, cwd, arguments: flags.config, flags: [...given, named] };
  return mergeConfig(gatherSettings(settings)).config;
}

/** Stands where no model was named, as one may cost money. */
const noModel: Model = {
  name: "none",
  price: free,
  complete: () => {
    const message = "It asks a model, and none is named. Add --model PROVIDER:NAME.";
    return Promise.reject(new PmcoderError("model_unavailable", message));
  },
};

/** Memories across issues outside of a run. */
export interface OpenMemories {
  readonly memory: CombinedMemory;
  readonly bank: Bank;
  /** The bank's file. */
  readonly file: string;
  /** US dollars so far; null: the price is not known. */
  readonly spent: () => number | null;
}

/** Nobody's issue, for whoever learns: what is learned is compared with none. */
export const noIssue: IssueIdentity = { instanceId: null, repo: null, issue: "", createdAt: null };

/** Opens the memories that a configuration names, with the model of `--model` alone. */
export async function openMemories(
  config: RunConfig,
  target: IssueIdentity,
  { asksModel, ...around }: Around & { readonly asksModel: boolean; readonly io: Io },
): Promise<OpenMemories> {
  const open = await composeExperience(config, target, around);
  if (open === null) {
    throw new PmcoderError(
      "usage",
      "--experience names no memory: experepair, adarepair, swe-exp.",
    );
  }
  const model = asksModel
    ? await openModel(config.model, keysOf(around.io.env), systemClock)
    : noModel;
  const { counted, spent } = counting(model);
  return { memory: open.memory(counted), bank: open.bank, file: open.file, spent };
}
