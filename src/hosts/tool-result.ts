/** What a call gave, as far as a host's text tells. */
export interface ToolResult {
  readonly output: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

/** What a host says of a call. */
export interface Told {
  readonly text: string;
  /** The host counts the call as failed. */
  readonly failed: boolean;
  /** Where the host tells it as a number. */
  readonly exitCode?: number | null;
}

/** Characters of an output that are kept whole, and of each end of a longer one: those of a run. */
const shown = { chars: 10_000, end: 5000 };

/** An output with its middle left out where it is long, as an observation of a run has it. */
export function cutOutput(text: string): string {
  if (text.length < shown.chars) return text;
  const [head, tail] = [text.slice(0, shown.end), text.slice(-shown.end)];
  const leftOut = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n[… ${leftOut} bytes left out …]\n${tail}`;
}

/** A block of ours that a host passes on with the text it was appended to. */
const ownBlock = /\n*\[PLANMEM\]\n[\s\S]*?\n\[\/PLANMEM\]/g;

/** qwen-code's report of a command: labelled lines, of which the output may hold anything. */
const report =
  /(?:^|\n)Command: [\s\S]*?\nOutput: ([\s\S]*)\nError: [^\n]*\nExit Code: ([^\n]*)\nSignal: ([^\n]*)/;

const endings: readonly RegExp[] = [
  // pi
  /\n*Command exited with code (-?\d+)\s*$/,
  // Claude Code
  /^(?:Error: )?(?:Exit code|Command failed with exit code) (-?\d+)[.:]?\n?/i,
];

/** What hosts say of a command that they ended. */
const stopped = /\b(?:timed out after|timeout(?: of)?|exceeded the timeout)\b[^\n]*\d/i;
const killedStatus = 124;

/** The result of a shell's call. */
export function shellResult({ text, failed, exitCode = null }: Told): ToolResult {
  const own = text.replace(ownBlock, "");
  const told = report.exec(own);
  if (told) return reported(told, failed);
  const ended = endings.map((ending) => ending.exec(own)).find((match) => match !== null);
  const output = cutOutput(ended ? own.replace(ended[0], "") : own);
  const timedOut = failed && !ended && stopped.test(own.slice(-500));
  const code = exitCode ?? (ended ? Number(ended[1]) : failed ? 1 : 0);
  return { output, exitCode: timedOut ? killedStatus : code, timedOut };
}

/** `(none)` stands for no code: a signal ended the command, or its time was up. */
function reported([, output = "", code = ""]: RegExpExecArray, failed: boolean): ToolResult {
  const isCode = /^-?\d+$/.test(code);
  const text = output === "(empty)" ? "" : cutOutput(output);
  const timedOut = !isCode && failed;
  return { output: text, exitCode: isCode ? Number(code) : failed ? killedStatus : null, timedOut };
}

/** The result of any other tool. */
export function toolResult({ text, failed }: Told): ToolResult {
  return {
    output: cutOutput(text.replace(ownBlock, "")),
    exitCode: failed ? 1 : 0,
    timedOut: false,
  };
}
