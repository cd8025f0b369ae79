import type { Bank, NewMemory } from "../../domain/bank.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Learned } from "../../domain/experience.ts";
import { isMemoryLine, memoryOfLine } from "./memory-line.ts";

/** Whether a text is an export, by its first line. */
export function isExport(text: string): boolean {
  return isMemoryLine(text.trimStart().split("\n", 1)[0] ?? "");
}

/**
 * Puts the memories of an export into a bank, in its order; those that are there already stay as
 * they are. All or none: throws PmcoderError `usage`, naming the line, when one is no memory.
 */
export async function restore(
  text: string,
  file: string,
  bank: Pick<Bank, "add">,
): Promise<Learned> {
  const memories = text.split("\n").flatMap((line, at): readonly NewMemory[] => {
    if (line.trim() === "") return [];
    const memory = memoryOfLine(line);
    if (typeof memory !== "string") return [memory];
    throw new PmcoderError(
      "usage",
      `${file}, line ${at + 1}: expected a memory as \`pmcoder experience export\` writes it, ${memory}. Nothing of the file was learned.`,
    );
  });
  const kept = await bank.add(memories);
  return { added: kept.filter(({ isNew }) => isNew).length, changed: 0, notes: [] };
}
