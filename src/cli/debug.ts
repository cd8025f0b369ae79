import type { Decide, Decision, Moment } from "../agent/consult.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { SubstrateState } from "../substrate/state.ts";
import { addBreakpoint, type Breakpoint, isHit, type Passed, passedAt } from "./breakpoints.ts";
import { type ConsentInput, consentFor } from "./choose-environment.ts";
import { ask, decideBy, type Terminal } from "./consent.ts";
import { recallLines } from "./debug-recall.ts";
import {
  breakpointLines,
  helpLines,
  memoryLines,
  outputLines,
  planLines,
  promptText,
  stopLines,
} from "./debug-text.ts";
import type { Io } from "./io.ts";
import { coloured, type Paint, plain } from "./terminal-text.ts";

interface DeciderInput extends ConsentInput {
  readonly debug?: boolean | undefined;
  /** Any makes it a debugged run. */
  readonly break?: readonly Breakpoint[] | undefined;
  readonly io: Pick<Io, "stdin" | "stderr" | "env">;
}

/**
 * Who decides on each command: the debugger where it stops, else whoever has to consent; undefined:
 * nobody. Throws PmcoderError `usage` when nobody is at the terminal.
 */
export function deciderFor({
  debug,
  break: points = [],
  ...input
}: DeciderInput): Decide | undefined {
  if (!debug && points.length === 0) return decideBy(consentFor(input));
  const { io, signal } = input;
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new PmcoderError(
      "usage",
      "--debug asks at the terminal what to do with each command, and standard input or error is none. Leave it out, or start pmcoder from a terminal.",
    );
  }
  const otherwise = decideBy(consentFor(input));
  const terminal = { input: io.stdin, output: io.stderr, signal };
  const session = new Debugger(terminal, points, io.env.NO_COLOR ? plain : coloured);
  return async (moment) => {
    const hits = session.stopsAt(moment);
    if (hits !== null) return session.ask(moment, hits);
    return otherwise ? otherwise(moment) : { type: "run", command: moment.command };
  };
}

/** What a line at the prompt leads to; null: another line. */
type Answer = Decision | null;

/** Stops before commands and asks what to do, one line after the other. */
class Debugger {
  readonly #terminal: Terminal;
  readonly #paint: Paint;
  #points: readonly Breakpoint[];
  /** Stops at whatever comes next. */
  #stepping: boolean;
  #before: Passed | null = null;

  constructor(terminal: Terminal, points: readonly Breakpoint[], paint: Paint) {
    this.#terminal = terminal;
    this.#points = points;
    this.#stepping = points.length === 0;
    this.#paint = paint;
  }

  /** The breakpoints that a command is at; null: it is at none, and may go on. */
  stopsAt(moment: Moment): readonly Breakpoint[] | null {
    const hits = this.#points.filter((point) => isHit(point, moment, this.#before));
    this.#before = passedAt(moment);
    return this.#stepping || hits.length > 0 ? hits : null;
  }

  /** Rejects with PmcoderError `interrupted` when the user wants no more, or is gone. */
  async ask(moment: Moment, hits: readonly Breakpoint[]): Promise<Decision> {
    this.#print(stopLines(moment, hits, this.#paint));
    for (;;) {
      const line = await ask(promptText, this.#terminal);
      if (this.#terminal.signal.aborted) throw this.#terminal.signal.reason;
      const [, key = "", text = ""] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
      const answer = this.#decide(key, text, moment);
      if (answer !== null) return answer;
      if (key === "a" && text !== "") this.#print(outputLines(await moment.runFirst(text)));
      else this.#print(this.#show(key, text, moment));
    }
  }

  #decide(key: string, text: string, { command }: Moment): Answer {
    if (key === "q") {
      throw new PmcoderError("interrupted", "stopped by the user at the debugger's prompt");
    }
    const isGoing = ["", "s", "c", "k"].includes(key) && text === "";
    if (!isGoing && !(key === "e" && text !== "")) return null;
    this.#stepping = key !== "c";
    if (key === "k") return { type: "skip" };
    return { type: "run", command: key === "e" ? text : command };
  }

  #show(key: string, text: string, { state, step }: Moment): readonly string[] {
    switch (key) {
      case "p":
        return looked(state, planLines);
      case "m":
        return looked(state, (known) => memoryLines(known, text));
      case "r":
        return looked(state, (known) => recallLines(known, step));
      case "b":
        return this.#add(text);
      case "d":
        return this.#delete(Number(text));
      case "l":
        return breakpointLines(this.#points);
      default:
        return helpLines;
    }
  }

  #add(text: string): readonly string[] {
    try {
      this.#points = addBreakpoint(text, this.#points);
      return breakpointLines(this.#points);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  #delete(number: number): readonly string[] {
    this.#points = this.#points.filter((_, index) => index + 1 !== number);
    return breakpointLines(this.#points);
  }

  #print(lines: readonly string[]): void {
    this.#terminal.output.write(lines.map((line) => `${line}\n`).join(""));
  }
}

function looked(
  state: SubstrateState | null,
  show: (state: SubstrateState) => readonly string[],
): readonly string[] {
  return state === null ? ["Planner and memory are off in this run."] : show(state);
}
