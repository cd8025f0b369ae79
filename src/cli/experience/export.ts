import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import { whyUnreadable } from "../../domain/unreadable.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { chosen } from "./choose.ts";
import type { ExportFlags } from "./command.ts";
import { inExistingBank } from "./existing-bank.ts";
import { lineOf } from "./memory-line.ts";

/** `pmcoder experience export`: every memory, as a line that `experience learn` reads back. */
export async function exportMemories(flags: ExportFlags, io: Io): Promise<ExitCode> {
  return inExistingBank<ExitCode>(flags.bank, io, async (bank, file) => {
    const lines = (await chosen(bank, flags)).map((memory) => `${lineOf(memory)}\n`);
    if (flags.output === undefined) for (const line of lines) io.stdout.write(line);
    else write(resolve(io.cwd, flags.output), lines.join(""));
    io.stderr.write(`${lines.length} from ${file}\n`);
    return 0;
  });
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new PmcoderError("usage", `${path} cannot be written: ${whyUnreadable(cause)}.`, {
      cause,
    });
  }
}
