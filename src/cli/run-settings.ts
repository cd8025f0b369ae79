import type { Coupling, RunFlags } from "./run-command.ts";
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
  ["overflow", "agent.overflow"],
  ["allowUnknownCost", "agent.allowUnknownCost"],
  ["bank", "experience.bank"],
  ["workflow", "workflow.name"],
  ["seed", "seed"],
] as const satisfies readonly (readonly [keyof RunFlags, string])[];

const dashed = (flag: string) =>
  `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const couplingKeys: Record<Coupling, string> = {
  "phase-retrieval": "phaseRetrieval",
  "subtask-retrieval": "subtaskRetrieval",
  "stats-plan": "statsPlan",
  "verdict-plan": "verdictPlan",
};

/** A part by the name of its `--no-` flag, and the key that switches it. */
const switches = [
  ["planner", "planner.on"],
  ["memory", "memory.on"],
  ["grounding", "grounding.on"],
  ["integrity", "grounding.integrity"],
  ["injection", "injection.on"],
] as const satisfies readonly (readonly [keyof RunFlags, string])[];

/** What a command line switches off or replaces, by the name of its flag. */
function ablations(flags: Partial<RunFlags>): readonly (Setting & { readonly name: string })[] {
  const off = switches.filter(([part]) => flags[part] === false);
  const cut = flags.decouple ?? [];
  return [
    ...off.map(([part, key]) => ({
      name: `no-${part}`,
      path: key.split("."),
      value: false,
      source: `--no-${part}`,
    })),
    ...cut.map((coupling) => ({
      name: `no-${coupling}`,
      path: ["couplings", couplingKeys[coupling]],
      value: false,
      source: "--decouple",
    })),
    ...(flags.placebo
      ? [{ name: "placebo", path: ["injection", "placebo"], value: true, source: "--placebo" }]
      : []),
  ];
}

/** What a command line adds, by name. */
function additions({ experience = [] }: Partial<RunFlags>) {
  if (experience.length === 0) return [];
  const name = experience.map((one) => `with-${one}`).join(" ");
  return [{ name, path: ["experience", "names"], value: experience, source: "--experience" }];
}

const changes = (flags: Partial<RunFlags>) => [...ablations(flags), ...additions(flags)];

/** The arm's name with what the command line changed in it, so that no report mixes the two up. */
export function armName(arm: string, flags: Partial<RunFlags>): string {
  return [arm, ...changes(flags).map(({ name }) => name)].join(" ");
}

/** The flags of a command line as settings, the strongest layer. */
export function settingsOfFlags(flags: Partial<RunFlags>): readonly Setting[] {
  const plain = keys.flatMap(([flag, key]) => {
    const value = flags[flag];
    return value === undefined ? [] : [{ path: key.split("."), value, source: dashed(flag) }];
  });
  return [...plain, ...changes(flags).map(({ name: _, ...setting }) => setting)];
}
