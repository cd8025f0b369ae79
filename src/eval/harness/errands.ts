import type { CommandResult, Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";

/** Short commands of the grader's own. */
export interface Errands {
  /** `ok`: it ended with 0 in time. `text`: what it printed, the middle left out where it is long. */
  run(command: string): Promise<{ readonly ok: boolean; readonly text: string }>;
}

/** Our choice: the largest repositories are cleaned and compared in seconds. */
const timeoutSec = 300;

/** Rejects with PmcoderError `interrupted` when the signal ends one, and as the environment does. */
export function errandsIn(environment: Environment, signal: AbortSignal): Errands {
  return {
    run: async (command) => {
      const result = await environment.execute(command, { timeoutSec, signal, errand: true });
      refuseInterrupted(result, signal);
      const { head, tail, totalBytes } = result.output;
      const isWhole = head.length + tail.length === totalBytes;
      const parts = [head, ...(isWhole ? [] : [Buffer.from("\n…\n")]), tail];
      const text = Buffer.concat(parts).toString("utf8");
      return { ok: result.exitCode === 0, text };
    },
  };
}

/** Throws PmcoderError `interrupted` when it was not the command that came to its end. */
export function refuseInterrupted(
  { interrupted }: Pick<CommandResult, "interrupted">,
  signal: AbortSignal,
): void {
  if (!interrupted && !signal.aborted) return;
  throw new PmcoderError("interrupted", "Interrupted while tests were run for a grading.");
}
