import type { RunConfig } from "../../domain/config/run-config.ts";
import { type FactorialDesign, planAndMemory } from "../statistics/factorial-design.ts";

/** Names of switches in tables; others go by their path. */
const names: Readonly<Record<string, string>> = {
  "planner.on": "plan",
  "memory.on": "memory",
  "grounding.on": "grounding",
  "grounding.integrity": "integrity",
  "injection.on": "injection",
};

/** More factors make tables that nobody reads. Our choice. */
const mostFactors = 4;

/**
 * The factorial that an experiment's arms make: of the switches that differ between its arms, if
 * each combination has one arm; else plan and memory, if all four arms are there; else null.
 * Switches that always change together are one factor, named after the first. `configs`: of each
 * arm; null where it is not known.
 */
export function designOf(
  arms: readonly string[],
  configs: Readonly<Record<string, RunConfig>> | null,
): FactorialDesign | null {
  const known = arms.map((arm) => switchesOf(configs?.[arm] ?? {}));
  const found = configs === null ? null : fullDesign(arms, known);
  if (found !== null) return found;
  return Object.keys(planAndMemory.arms).every((arm) => arms.includes(arm)) ? planAndMemory : null;
}

type Switches = ReadonlyMap<string, boolean>;

function fullDesign(
  arms: readonly string[],
  switches: readonly Switches[],
): FactorialDesign | null {
  const factors = factorsOf(switches);
  const on = switches.map((own) => factors.filter((path) => own.get(path)));
  const combinations = new Set(on.map((paths) => paths.join(" ")));
  if (factors.length < 2 || factors.length > mostFactors) return null;
  if (combinations.size !== arms.length || arms.length !== 2 ** factors.length) return null;
  const nameOf = (path: string) => names[path] ?? path;
  return {
    factors: factors.map(nameOf),
    arms: Object.fromEntries(arms.map((arm, at) => [arm, (on[at] ?? []).map(nameOf)])),
  };
}

/** Switches that differ between arms, of those that change together or against each other the first. */
function factorsOf(switches: readonly Switches[]): readonly string[] {
  const paths = [...new Set(switches.flatMap((own) => [...own.keys()]))].sort(byName);
  const seen = new Set<string>();
  return paths.filter((path) => {
    const pattern = switches.map((own) => (own.get(path) ? "1" : "0")).join("");
    const opposite = pattern.replace(/./g, (digit) => (digit === "1" ? "0" : "1"));
    if (!pattern.includes("1") || !opposite.includes("1")) return false;
    const isNew = !seen.has(pattern) && !seen.has(opposite);
    seen.add(pattern);
    return isNew;
  });
}

/** Those with a name first, in its order. */
function byName(one: string, other: string): number {
  const order = Object.keys(names);
  const place = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length);
  return place(one) - place(other);
}

/** Everything in a configuration that is on or off, by its path. */
function switchesOf(value: unknown, path: readonly string[] = []): Switches {
  if (typeof value === "boolean") return new Map([[path.join("."), value]]);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...switchesOf(inner, [...path, key])]),
  );
}
