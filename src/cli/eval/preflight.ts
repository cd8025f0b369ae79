import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ArmSpec } from "../../eval/batch/episode-spec.ts";
import { openModel } from "../../models/open-model.ts";
import { writeWhole } from "../../store/files.ts";
import { systemClock } from "../compose.ts";
import { requireBank } from "../compose-experience.ts";
import type { Io } from "../io.ts";
import { keysOf } from "../keys.ts";
import { readOwnPrompts } from "../run-settle.ts";

/** Writes the texts of the user's own prompts where the configurations name them. */
export function writePrompts(folder: string, arms: Iterable<Pick<ArmSpec, "prompts">>): void {
  for (const { prompts } of arms) {
    for (const [name, text] of Object.entries(prompts)) {
      const file = join(folder, name);
      if (!existsSync(file)) writeWhole(file, text);
    }
  }
}

/**
 * What would fail in every run of an arm fails before the first. Throws PmcoderError
 * `model_unavailable` for an unknown model or a missing key, `usage` for prompts without the issue,
 * and for memories across issues without a bank.
 */
export async function preflight(
  arms: Iterable<Pick<ArmSpec, "config">>,
  folder: string,
  { env }: Pick<Io, "env">,
): Promise<void> {
  for (const { config } of arms) {
    readOwnPrompts(config.agent, "", folder);
    requireBank(config);
    // A recording may be named by its job.
    if (config.model.name?.startsWith("replay:") === true) continue;
    await openModel(config.model, keysOf(env), systemClock);
  }
}
