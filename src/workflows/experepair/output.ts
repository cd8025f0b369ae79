import type { Observation } from "../../domain/episode.ts";

/** What a script printed, its end where it is long, and how it ended where that tells something. */
export function shownOutput(
  { output, exitCode, timedOut }: Pick<Observation, "output" | "exitCode" | "timedOut">,
  chars: number,
): string {
  const text = output.trimEnd() || "(no output)";
  const end = text.length > chars ? `[…]\n${text.slice(-chars)}` : text;
  if (timedOut) return `${end}\n(ended at its time limit)`;
  return exitCode === 0 ? end : `${end}\n(exit status ${exitCode})`;
}

/** An output without what differs from one run to the next. Our choice: addresses and durations. */
export const comparable = (output: string): string =>
  output.replace(/\b0x[0-9a-f]+/gi, "0x").replace(/\b\d+\.\d+ ?(?:s|ms|sec|seconds)\b/g, "time");
