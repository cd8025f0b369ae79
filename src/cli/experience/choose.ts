import type { Bank, Memory } from "../../domain/bank.ts";
import { instancesOf } from "./memory-line.ts";

export interface Choice {
  readonly instance?: string | undefined;
  readonly repo?: string | undefined;
}

/** Memories for people: those that only mark what was done are left out. */
export async function chosen(
  bank: Pick<Bank, "read">,
  { instance, repo }: Choice,
): Promise<readonly Memory[]> {
  const all = await bank.read(repo === undefined ? {} : { repo });
  return instance === undefined
    ? all
    : all.filter((memory) => instancesOf(memory).includes(instance));
}

/** Kept so that an episode is not distilled twice; nothing to look at. */
export function isMark({ system, kind }: Pick<Memory, "system" | "kind">): boolean {
  return system === "experepair" && kind === "distilled";
}
