import { resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import { gatherSettings } from "./config-file.ts";
import type { Io } from "./io.ts";
import { mergeConfig } from "./merge-config.ts";
import type { Setting } from "./settings.ts";

/** Flags that stand for a key of the configuration. */
interface Flags {
  readonly config: readonly string[];
  readonly scripts?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly environment?: string | undefined;
  readonly image?: string | undefined;
}

const keys = [
  ["scripts", "grounding.scripts", "--scripts"],
  ["model", "model.name", "--model"],
  ["baseUrl", "model.baseUrl", "--base-url"],
  ["environment", "environment.kind", "--environment"],
  ["image", "environment.image", "--image"],
] as const;

/** The configuration of a `repro` command. Throws PmcoderError `usage`. */
export function reproConfig(flags: Flags, { env, cwd }: Io): RunConfig {
  const given = keys.flatMap(([flag, key, source]): readonly Setting[] => {
    const value = flags[flag];
    return value === undefined ? [] : [{ path: key.split("."), value, source }];
  });
  return mergeConfig(gatherSettings({ env, cwd, arguments: flags.config, flags: given })).config;
}

/** Absolute path of the folder with the scripts. */
export function scriptsFolder({ grounding }: RunConfig, { cwd }: Io): string {
  return resolve(cwd, grounding.scripts);
}
