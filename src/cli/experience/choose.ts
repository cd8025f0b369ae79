import type { Bank, Memory } from "../../domain/bank.ts";
import { instancesOf } from "./memory-line.ts";

export interface Choice {
  readonly instance?: string | undefined;
  readonly repo?: string | undefined;
}

/** All memories, or those that an instance had a part in, or a repository. */
export async function chosen(
  bank: Pick<Bank, "read">,
  { instance, repo }: Choice,
): Promise<readonly Memory[]> {
  const all = await bank.read(repo === undefined ? {} : { repo });
  return instance === undefined
    ? all
    : all.filter((memory) => instancesOf(memory).includes(instance));
}
