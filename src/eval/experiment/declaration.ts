import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Experiment } from "./experiment.ts";

/** What decides the results of an experiment; it is kept beside them, as JSON. */
export interface Declaration {
  readonly name: string;
  readonly dataset: { readonly origin: string; readonly sha256: string };
  /** The whole configuration of each arm; the seed is the run's. */
  readonly arms: Readonly<Record<string, RunConfig>>;
  readonly grading: Experiment["grading"];
}

/**
 * What stands differently in two declarations, as `arms.full.memory.lambda: 0.7, now 0.5`. Results
 * that were made under another declaration must not be mixed with new ones. Arms may come and go,
 * and a dataset may be read from another place.
 */
export function changesOf(before: Declaration, after: Declaration): readonly string[] {
  return differences(comparable(before, after), comparable(after, before));
}

function comparable(one: Declaration, other: Declaration): unknown {
  const shared = Object.entries(one.arms).filter(([name]) => Object.hasOwn(other.arms, name));
  const arms = shared.map(([name, config]) => [name, { ...config, seed: null }]);
  return {
    name: one.name,
    dataset: { sha256: one.dataset.sha256 },
    arms: Object.fromEntries(arms),
    grading: { generation: one.grading.generation, timeoutSec: one.grading.timeoutSec },
  };
}

/** Where two JSON values differ, each as `path.to.it: 1, now 2`. */
export function differences(
  one: unknown,
  other: unknown,
  path: readonly string[] = [],
): readonly string[] {
  if (isMapping(one) && isMapping(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => differences(one[key], other[key], [...path, key]));
  }
  const [was, is] = [JSON.stringify(one), JSON.stringify(other)];
  return was === is ? [] : [`${path.join(".")}: ${was ?? "nothing"}, now ${is ?? "nothing"}`];
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
