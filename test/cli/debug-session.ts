import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { main } from "../../src/cli/program.ts";
import type { World } from "./run-world.ts";

/** A command line of pmcoder at a terminal, as far as it can tell. */
interface AtTerminal {
  readonly ended: Promise<number>;
  /** What stands on the terminal. */
  shown(): string;
  /** Waits for the next question and answers it. Gives what was shown since the one before. */
  answer(line: string): Promise<string>;
  /** What a user does by Ctrl-C. */
  interrupt(): void;
  /** The terminal goes. */
  hangUp(): void;
}

const question = "d l q h]: ";

export function startAtTerminal({ home, repo }: World, args: readonly string[]): AtTerminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
  const stdout = new PassThrough().resume();
  const signals = new EventEmitter();
  let shown = "";
  stderr.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const env = { HOME: home, PATH: process.env["PATH"], TERM: "dumb", NO_COLOR: "1" };
  const io = { env, cwd: repo, stdin, stdout, stderr, signals, leave: () => {} };
  let over = false;
  const ended = main(args, io).finally(() => {
    over = true;
  });
  let seen = 0;
  return {
    ended,
    shown: () => shown,
    answer: async (line) => {
      while (!shown.includes(question, seen)) {
        if (over) throw new Error(`ended without a question: ${shown.slice(seen)}`);
        await wait(10);
      }
      const since = shown.slice(seen, shown.indexOf(question, seen));
      seen += since.length + question.length;
      stdin.write(`${line}\n`);
      return since.slice(0, since.lastIndexOf("\ndebug [") + 1);
    },
    interrupt: () => void signals.emit("SIGINT"),
    hangUp: () => void stdin.end(),
  };
}
