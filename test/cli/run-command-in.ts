import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import type { Io } from "../../src/cli/io.ts";

interface CommandLine {
  parseAsync(args: string[], options: { from: "user" }): Promise<unknown>;
}

interface Given {
  /** Both HOME and the current folder. */
  readonly home: string;
  readonly args: readonly string[];
}

/** Runs one command in a world of its own: the exit statuses it gave, and what it printed. */
export async function runCommand(
  commandOf: (io: Io, done: (code: number) => void) => CommandLine,
  { home, args }: Given,
) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const codes: number[] = [];
  const io: Io = {
    env: { HOME: home, PATH: process.env["PATH"] },
    cwd: home,
    stdin: Readable.from([]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    leave: (code) => void codes.push(code),
  };
  await commandOf(io, (code) => codes.push(code)).parseAsync([...args], { from: "user" });
  return { codes, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}
