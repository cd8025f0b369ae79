import type { Experiment, ExperimentArm } from "./experiment.ts";

/** One value for one key of the configuration, as the command line's `-c` gives it. */
export interface ArmSetting {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Where it stands, for messages. */
  readonly source: string;
}

type Tree = Readonly<Record<string, unknown>>;

/** Every value of nested settings with the keys that lead to it. */
export function leavesOf(tree: Tree, source: string): readonly ArmSetting[] {
  const walk = (value: unknown, path: readonly string[]): readonly ArmSetting[] => {
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    const entries = isGroup ? Object.entries(value) : [];
    if (entries.length === 0) return [{ path, value, source }];
    return entries.flatMap(([key, inner]) => walk(inner, [...path, key]));
  };
  return Object.keys(tree).length === 0 ? [] : walk(tree, []);
}

/** What decides the configuration of an arm, weakest first. */
export interface ArmLayers {
  /** What the experiment says for every arm. */
  readonly before: readonly ArmSetting[];
  /** The name of an arm of pmcoder's, or a file of settings, to be read between the two. */
  readonly from: string | null;
  /** What the arm says itself. The name and the cost limit stand last: no file may change them. */
  readonly after: readonly ArmSetting[];
}

/**
 * The layers of an arm. An experiment stands for itself: the user's own configuration file is no
 * layer. The seed is the run's.
 */
export function layersOf(experiment: Experiment, arm: ExperimentArm): ArmLayers {
  const { name, model, environment, settings, experience, caps } = experiment;
  const one = (path: string, value: unknown, source = name): ArmSetting => ({
    path: path.split("."),
    value,
    source,
  });
  return {
    before: [
      ...(model === null ? [] : [one("model.name", model)]),
      ...(environment === null ? [] : [one("environment.kind", environment)]),
      ...(experience === null ? [] : leavesOf({ experience }, `${name}, experience`)),
      ...leavesOf(settings, `${name}, settings`),
    ],
    from: arm.from,
    after: [
      ...leavesOf(arm.settings, `${name}, arm ${arm.name}`),
      one("arm", arm.name),
      one("agent.costLimit", caps.perRunUsd),
    ],
  };
}

/** Keys that an experiment says in another place; by dotted path. */
const elsewhere: Readonly<Record<string, string>> = {
  arm: "the arm's `name`",
  seed: "`seeds`",
  "agent.costLimit": "`caps.perRunUsd`",
  "experience.bank": "`experience.bank`",
};
const elsewhereForAll: Readonly<Record<string, string>> = {
  ...elsewhere,
  model: "`model`",
  "model.name": "`model`",
  "environment.kind": "`environment`",
  "experience.names": "`experience.names`",
};

/** Settings that would say twice what the experiment says once: what to write instead. */
export function misplaced(tree: Tree, owner: "all" | "arm"): readonly string[] {
  const table = owner === "all" ? elsewhereForAll : elsewhere;
  return leavesOf(tree, "").flatMap(({ path }) => {
    const key = path.join(".");
    return Object.hasOwn(table, key) ? [`${key} stands in ${table[key]}`] : [];
  });
}
