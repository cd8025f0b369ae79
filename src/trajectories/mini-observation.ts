import type { CallResult } from "./foreign.ts";

/** Status of a command that a harness ended at its time limit, as `timeout` and we report it. */
const timeoutStatus = 124;

const returncode = /^\s*<returncode>(-?\d+)<\/returncode>/;
const timedOut = /^The last command <command>[\s\S]* timed out and has been killed\./;

const tag = (name: string) => new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>\\s*$`);
const wholeOutput = tag("output");
const outputTail = tag("output_tail");
const outputHead =
  /<output_head>\n?([\s\S]*?)\n?<\/output_head>\s*<elided_chars>\s*([\s\S]*?)\s*<\/elided_chars>/;

/** What stands between the output tags of an observation; all of it if there are none. */
function outputIn(content: string): string {
  const head = outputHead.exec(content);
  if (head) return `${head[1]}\n[… ${head[2]} …]\n${outputTail.exec(content)?.[1] ?? ""}`;
  return wholeOutput.exec(content)?.[1] ?? content;
}

/** A result read from what v1 showed to the model; without a return code it is the submission. */
export function resultFromText(content: string): CallResult {
  if (timedOut.test(content)) {
    const output = /<output>\n?([\s\S]*?)\n?<\/output>/.exec(content)?.[1] ?? "";
    return { output, exitCode: timeoutStatus, timedOut: true };
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
