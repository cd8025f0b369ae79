import type { Bank, Memory } from "../../domain/bank.ts";
import { instancesOf } from "./memory-line.ts";

export interface Choice {
  readonly instance?: string | undefined;
  readonly repo?: string | undefined;
}

/**
 * All memories, or those that an instance had a part in, or a repository, in whichever case its name
 * is given.
 */
export async function chosen(
  bank: Pick<Bank, "read">,
  { instance, repo }: Choice,
): Promise<readonly Memory[]> {
  const all = await bank.read({});
  return all.filter(
    (memory) =>
      (repo === undefined || memory.from.repo?.toLowerCase() === repo.toLowerCase()) &&
      (instance === undefined || instancesOf(memory).includes(instance)),
  );
}
