import type { RunFlags } from "./run-command.ts";
import type { Setting } from "./settings.ts";

/** Flag, configuration key. The value is the flag's own. */
const keys = [
  ["model", "model.name"],
  ["baseUrl", "model.baseUrl"],
  ["environment", "environment.kind"],
  ["image", "environment.image"],
  ["network", "environment.network"],
  ["copy", "environment.copy"],
  ["commandTimeout", "environment.commandTimeoutSec"],
  ["stepLimit", "agent.stepLimit"],
  ["costLimit", "agent.costLimit"],
  ["timeLimit", "agent.timeLimitSec"],
  ["allowUnknownCost", "agent.allowUnknownCost"],
  ["seed", "seed"],
] as const satisfies readonly (readonly [keyof RunFlags, string])[];

const dashed = (flag: string) =>
  `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The flags of a command line as settings, the strongest layer. */
export function settingsOfFlags(flags: Partial<RunFlags>): readonly Setting[] {
  return keys.flatMap(([flag, key]) => {
    const value = flags[flag];
    return value === undefined ? [] : [{ path: key.split("."), value, source: dashed(flag) }];
  });
}
