import { existsSync } from "node:fs";
import type { Memory } from "../../domain/bank.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { type OpenBank, openBank } from "../../store/experience-bank.ts";
import { systemClock } from "../compose.ts";
import type { Io } from "../io.ts";
import { bankPlace } from "../places.ts";

/** The bank that is there, for as long as `work` needs it; none is made by looking. */
export async function inExistingBank<T>(
  given: string | undefined,
  io: Pick<Io, "env" | "cwd">,
  work: (bank: OpenBank, file: string) => Promise<T>,
): Promise<T> {
  const file = bankPlace(given, io);
  if (!existsSync(file)) {
    throw new PmcoderError(
      "usage",
      `Nothing is remembered yet: there is no ${file}. \`pmcoder experience learn\` makes it, and so does \`pmcoder run --experience NAME\`.`,
    );
  }
  const bank = openBank(file, systemClock);
  try {
    return await work(bank, file);
  } finally {
    await bank.close();
  }
}

/** The one memory whose id begins so. Throws PmcoderError `usage`. */
export function memoryBy(id: string, all: readonly Memory[]): Memory {
  const found = id === "" ? [] : all.filter((one) => one.id.startsWith(id));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const what = found.length === 0 ? "No memory has" : `${found.length} memories have`;
  throw new PmcoderError(
    "usage",
    `${what} an id that begins with "${id}". \`pmcoder experience list\` shows them.`,
  );
}
