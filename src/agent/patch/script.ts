import type { CommandResult, Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";

/** A bash word that stands for exactly this text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * After it git finds no variable of its own. Like every script of ours it keeps to what all POSIX
 * shells know, because an image may have no bash.
 */
export const unsetGit = `unset $(env | LC_ALL=C sed -n 's/^\\(GIT_[A-Za-z0-9_]*\\)=.*/\\1/p')`;

/** Our choice: a tree of two gigabytes is hashed in well under this on a slow disk. */
const timeoutSec = 600;

/**
 * Runs a script of ours in the environment. An exit status listed in `expected` is an answer; any
 * other rejects with PmcoderError `internal` that says what was being done and what was printed.
 */
export async function runScript(
  environment: Environment,
  script: string,
  { task, expected }: { readonly task: string; readonly expected: readonly number[] },
): Promise<CommandResult> {
  const result = await environment.execute(script, { timeoutSec });
  if (!result.timedOut && expected.includes(result.exitCode)) return result;
  const found = result.timedOut
    ? `it took longer than ${timeoutSec} seconds`
    : `its script ended with status ${result.exitCode}`;
  throw new PmcoderError("internal", `Could not ${task}: ${found}${printed(result)}`);
}

/** The last lines that a script printed, for an error message. */
export function printed({ output }: CommandResult): string {
  const text = Buffer.concat([output.head, output.tail]).toString("utf8").trim();
  return text === "" ? "." : `: ${text.slice(-1000)}`;
}

/** Characters of one piece. Linux takes 131,072 bytes as one argument of a command line. */
const pieceLength = 64_000;

/**
 * Puts bytes into a file of the environment, which takes commands and no stream: `printf` with all
 * but plain characters escaped, a piece at a time.
 */
export async function writeBytes(
  environment: Environment,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const plan = { task: `write ${path} in the environment`, expected: [0] };
  let redirect = ">";
  for (const piece of escapedPieces(bytes)) {
    await runScript(environment, `printf %b '${piece}' ${redirect} ${quote(path)}`, plan);
    redirect = ">>";
  }
}

/** At least one piece; an escape, which has five characters, is never cut in two. */
function escapedPieces(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1");
  const escaped = text.replaceAll(/[^\n\t\x20-\x7e]|['\\]/g, escapeByte);
  const pieces = [];
  for (let start = 0; start < escaped.length; ) {
    const full = start + pieceLength;
    const lastEscape = escaped.lastIndexOf("\\", full - 1);
    const end = lastEscape > full - 5 ? lastEscape : full;
    pieces.push(escaped.slice(start, end));
    start = end;
  }
  return pieces.length > 0 ? pieces : [""];
}

function escapeByte(byte: string): string {
  return `\\0${byte.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
