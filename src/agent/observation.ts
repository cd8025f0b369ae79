import type { RunConfig } from "../domain/config/run-config.ts";
import type { CommandResult, Output } from "../domain/environment.ts";
import type { Observation } from "../domain/episode.ts";
import { legible, wholeAtEnd, wholeAtStart } from "./legible.ts";

type Cut = Pick<
  RunConfig["agent"],
  "observationChars" | "observationHeadChars" | "observationTailChars"
>;

/** An output as shown: whole, or two ends and how many bytes stand between them. */
interface Shown {
  readonly head: string;
  readonly tail: string;
  readonly leftOutBytes: number;
}

const utf8Length = (text: string) => Buffer.byteLength(text, "utf8");
const isLowSurrogate = (text: string, index: number) =>
  (text.charCodeAt(index) & 0xfc00) === 0xdc00;

function firstChars(text: string, chars: number): string {
  return text.slice(0, isLowSurrogate(text, chars) ? chars - 1 : chars);
}

function lastChars(text: string, chars: number): string {
  const from = Math.max(0, text.length - chars);
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}

function isWhole(output: Output): boolean {
  return output.head.length + output.tail.length >= output.totalBytes;
}

function show(output: Output, cut: Cut): Shown {
  if (!isWhole(output)) {
    const head = firstChars(legible(wholeAtEnd(output.head)), cut.observationHeadChars);
    const tail = lastChars(legible(wholeAtStart(output.tail)), cut.observationTailChars);
    return { head, tail, leftOutBytes: output.totalBytes - utf8Length(head) - utf8Length(tail) };
  }
  const text = legible(Buffer.concat([output.head, output.tail]));
  if (text.length < cut.observationChars) return { head: text, tail: "", leftOutBytes: 0 };
  const head = firstChars(text, cut.observationHeadChars);
  const tail = lastChars(text, cut.observationTailChars);
  const middle = text.slice(head.length, text.length - tail.length);
  return { head, tail, leftOutBytes: utf8Length(middle) };
}

function endOfLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function body({ head, tail, leftOutBytes }: Shown): string {
  if (leftOutBytes === 0)
    return `<output>\n${endOfLine(head === "" ? "(no output)" : head)}</output>`;
  return [
    "<warning>",
    "This output is too long to show whole. Narrow it with head, tail, sed -n or grep, or write it",
    "to a file and search there.",
    "</warning>",
    `<output_head>\n${endOfLine(head)}</output_head>`,
    `<elided_chars>\n${leftOutBytes} bytes left out\n</elided_chars>`,
    `<output_tail>\n${endOfLine(tail)}</output_tail>`,
  ].join("\n");
}

function remarks(result: CommandResult, timeoutSec: number): string[] {
  const remark = (text: string) => `<exception>${text}</exception>`;
  return [
    ...(result.timedOut
      ? [remark(`Time limit of ${timeoutSec} s reached: the command and its children were ended.`)]
      : []),
    ...(result.interrupted
      ? [remark("Interrupted while running: its effect is unknown. Check before you repeat it.")]
      : []),
    ...(result.background
      ? ["<note>A background process of this command is still running.</note>"]
      : []),
  ];
}

/**
 * A command's result as the model sees it: return code, output whole or cut to head and tail, and
 * what else there is to know. Tags and the cut are those of mini-swe-agent, the wording is ours.
 */
export function observe(
  callId: string,
  result: CommandResult,
  config: Cut & { readonly timeoutSec: number },
): Observation {
  const shown = show(result.output, config);
  const content = [
    `<returncode>${result.exitCode}</returncode>`,
    body(shown),
    ...remarks(result, config.timeoutSec),
  ].join("\n");
  return {
    callId,
    exitCode: result.exitCode,
    timedOut: result.timedOut,
    interrupted: result.interrupted,
    background: result.background,
    output:
      shown.leftOutBytes === 0
        ? shown.head
        : `${shown.head}\n[… ${shown.leftOutBytes} bytes left out …]\n${shown.tail}`,
    totalBytes: result.output.totalBytes,
    leftOutBytes: shown.leftOutBytes,
    seconds: result.seconds,
    content,
  };
}

const answers = {
  refuse: "The user refused this command. It was not run; choose another way.",
  skip: "The user skipped this command. It was not run; go on without it.",
} as const;

/** The user said no: nothing ran. 126 is what a shell reports for a command it may not run. */
export function turnedDown(callId: string, how: keyof typeof answers): Observation {
  const output = answers[how];
  return {
    callId,
    exitCode: 126,
    timedOut: false,
    interrupted: false,
    background: false,
    output,
    totalBytes: 0,
    leftOutBytes: 0,
    seconds: 0,
    content: `<returncode>126</returncode>\n<output>\n${output}\n</output>`,
  };
}
