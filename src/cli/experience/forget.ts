import { PmcoderError } from "../../domain/errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { chosen } from "./choose.ts";
import type { ForgetFlags } from "./command.ts";
import { inExistingBank, memoryBy } from "./existing-bank.ts";

/**
 * `pmcoder experience forget`: by ids, or all of an instance or repository. An id that fits nothing
 * or several is refused, and then nothing is forgotten.
 */
export async function forgetMemories(
  ids: readonly string[],
  flags: ForgetFlags,
  io: Io,
): Promise<ExitCode> {
  const byOrigin = flags.instance !== undefined || flags.repo !== undefined;
  if (ids.length === 0 && !byOrigin) {
    throw new PmcoderError(
      "usage",
      "Say what to forget: ids, --instance ID, or --repo OWNER/NAME. `pmcoder experience list` shows them.",
    );
  }
  return inExistingBank<ExitCode>(flags.bank, io, async (bank, file) => {
    const named = ids.length === 0 ? [] : await bank.read({});
    const memories = [
      ...ids.map((id) => memoryBy(id, named)),
      ...(byOrigin ? await chosen(bank, flags) : []),
    ];
    const count = await bank.forget([...new Set(memories.map(({ id }) => id))]);
    io.stderr.write(`forgot ${count} in ${file}\n`);
    return 0;
  });
}
