import { resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Reproducer } from "../domain/reproducer.ts";
import type { Kind } from "./choose-environment.ts";
import { type Kept, readKept, readReproducer } from "./repro-files.ts";
import type { Task } from "./task-source.ts";

export interface Arming {
  readonly reproducer: Reproducer | null;
  /** What the user should know of it. */
  readonly notices: readonly string[];
}

interface Given {
  readonly repro?: string | undefined;
  readonly yes?: true | undefined;
}

interface Around {
  readonly config: RunConfig;
  readonly kind: Kind;
  readonly cwd: string;
}

const unarmed = (...notices: readonly string[]): Arming => ({ reproducer: null, notices });

/**
 * The script that a run is armed with: the one that was named, else the admitted one of its
 * instance, if it is still the same. Throws PmcoderError `usage` for a file that cannot be read.
 */
export function armingOf(task: Task, given: Given, { config, kind, cwd }: Around): Arming {
  const isOn = config.planner.on && config.grounding.on;
  if (given.repro !== undefined) {
    const reproducer = readReproducer(resolve(cwd, given.repro));
    if (isOn) return { reproducer, notices: [] };
    return unarmed("--repro has no effect: it needs the planner and the grounding.");
  }
  if (!isOn || task.kind !== "instance") return unarmed();
  const { instance_id: instance } = task.row;
  const kept = readKept(resolve(cwd, config.grounding.scripts), instance);
  return armingWith(kept, instance, { config, kind, yes: given.yes ?? false });
}

/** The arming of an instance for which a script is kept, or none. */
export function armingWith(
  kept:
    | (Pick<Kept, "reproducer" | "isSame"> & { readonly record: { readonly admitted: boolean } })
    | null,
  instance: string,
  { config, kind, yes }: Pick<Around, "config" | "kind"> & { readonly yes: boolean },
): Arming {
  const isOn = config.planner.on && config.grounding.on;
  if (!isOn || !kept?.record.admitted) return unarmed();
  if (!kept.isSame) {
    return unarmed(
      `The reproduction script of ${instance} has changed since it was admitted, so it is not used: pmcoder repro validate ${instance}.`,
    );
  }
  if (kind === "local" && !yes) {
    return unarmed(
      `There is a reproduction script for ${instance}. It is not run without a sandbox unless --yes or --repro says so.`,
    );
  }
  return { reproducer: kept.reproducer, notices: [] };
}
