import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../version.ts";

/** An experiment: one that travels with pmcoder by its name, else a file of the user's. */
export function experimentFile(experiment: string): string {
  const own = join(root, "eval", "experiments", `${experiment}.yaml`);
  return /^[a-z0-9-]+$/.test(experiment) && existsSync(own) ? own : experiment;
}

/** Names of the experiments that travel with pmcoder, in order. */
export const ownExperiments = () => namesIn("experiments");

/** Names of the arms that travel with pmcoder, in order. */
export const ownArms = () => namesIn("arms");

function namesIn(kind: "arms" | "experiments"): readonly string[] {
  const folder = join(root, "eval", kind);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((name) => (name.endsWith(".yaml") ? basename(name, ".yaml") : [])).sort();
}
