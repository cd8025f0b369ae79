import type { CallResult } from "./foreign.ts";

/** Status of a command that a harness ended at its time limit, as `timeout` and we report it. */
const timeoutStatus = 124;

const returncode = /^\s*<returncode>(-?\d+)<\/returncode>/;
const timedOut = /^The last command <command>[\s\S]* timed out and has been killed\./;

/** What stands between the first `<name>` and the last `</name>` of a text, or null. */
function between(text: string, name: string): string | null {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const start = text.indexOf(open);
  const end = text.lastIndexOf(close);
  if (start === -1 || end < start) return null;
  return text
    .slice(start + open.length, end)
    .replace(/^\n/, "")
    .replace(/\n$/, "");
}

/** The output in an observation: whole, or head and tail where it was cut. */
function outputIn(content: string): string {
  const isWhole = content.replace(returncode, "").trimStart().startsWith("<output>");
  const head = isWhole ? null : between(content, "output_head");
  if (head === null) return between(content, "output") ?? content;
  const elided = between(content, "elided_chars") ?? "";
  return `${head}\n[… ${elided.trim()} …]\n${between(content, "output_tail") ?? ""}`;
}

/** A result read from what v1 showed to the model; without a return code it is the submission. */
export function resultFromText(content: string): CallResult {
  if (timedOut.test(content)) {
    return { output: between(content, "output") ?? "", exitCode: timeoutStatus, timedOut: true };
  }
  const code = returncode.exec(content)?.[1];
  if (code === undefined) return { output: content, exitCode: null, timedOut: false };
  return { output: outputIn(content), exitCode: Number(code), timedOut: false };
}

/** The `extra` of a tool message in mini-swe-agent-1.1. */
export interface ObservationExtra {
  readonly returncode: number;
  readonly raw_output: string | null;
  readonly exception_info: string | null;
  readonly exception_type: string | null;
}

/**
 * A result from the fields of a mini-swe-agent-1.1 observation, null if the command was not run.
 * Return code -1 stands for a command without one: `exception_info` says whether its time was up.
 */
export function resultFromExtra(extra: ObservationExtra, content: string): CallResult | null {
  const output = extra.raw_output ?? outputIn(content);
  if (extra.returncode !== -1) return { output, exitCode: extra.returncode, timedOut: false };
  const why = `${extra.exception_type ?? ""} ${extra.exception_info ?? ""}`;
  if (/not executed/.test(why)) return null;
  return /TimeoutExpired|timed out/.test(why)
    ? { output, exitCode: timeoutStatus, timedOut: true }
    : { output, exitCode: null, timedOut: false };
}
