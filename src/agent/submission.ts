import type { CommandResult, Environment } from "../domain/environment.ts";

/** mini-swe-agent's sentinel: kept to the letter, so that its prompts and ours are interchangeable. */
export const sentinel = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

/** Bytes of white space that may stand before the sentinel. */
const slack = 4096;

/** Where the text after the sentinel's line begins, or null when the output does not submit. */
function submissionStart(head: string): number | null {
  const start = head.length - head.trimStart().length;
  if (start > slack || !head.startsWith(sentinel, start)) return null;
  const rest = head.slice(start + sentinel.length);
  const newline = rest.indexOf("\n");
  const line = newline === -1 ? rest : rest.slice(0, newline);
  if (line.trim() !== "") return null;
  return newline === -1 ? head.length : start + sentinel.length + newline + 1;
}

/**
 * The bytes after the sentinel, verbatim, when a command's first output line is the sentinel and it
 * exited 0; else null. Offsets are counted in latin1, where a character is a byte.
 */
export async function submissionOf(
  result: CommandResult,
  environment: Environment,
): Promise<Uint8Array | null> {
  if (result.exitCode !== 0 || result.timedOut || result.interrupted) return null;
  const { head, tail, totalBytes, file } = result.output;
  const start = submissionStart(Buffer.from(head).toString("latin1"));
  if (start === null) return null;
  const whole = head.length + tail.length >= totalBytes;
  const bytes = whole ? Buffer.concat([head, tail]) : await environment.read(file);
  return bytes.subarray(start);
}
