import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import type { Decide } from "../agent/consult.ts";
import { PmcoderError } from "../domain/errors.ts";

/** Who is asked before a command runs; true lets it run. */
export type Approve = (command: string) => Promise<boolean>;

/** Nobody: the sandbox protects, or the user said yes to all. */
export const approveAll: Approve = async () => true;

/** Consent as the loop asks for it; undefined where nobody is asked. */
export function decideBy(approve: Approve): Decide | undefined {
  if (approve === approveAll) return undefined;
  return async ({ command }) =>
    (await approve(command)) ? { type: "run", command } : { type: "refuse" };
}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Where the command will run. */
  readonly sandboxed?: boolean;
}

/**
 * Asks at the terminal before each command: y runs it, a runs it and all that follow, anything else
 * refuses it. An interrupt while asking refuses. Rejects with PmcoderError `interrupted` once nobody
 * can answer any more.
 */
export function askEach({ input, output, signal, sandboxed = false }: Terminal): Approve {
  const where = sandboxed ? "in the sandbox" : "in your own system, without a sandbox";
  let all = false;
  return async (command) => {
    if (all) return true;
    const question = `Run ${where}?\n${indent(command)}\n[y]es, [a]ll from now on, [N]o: `;
    const answer = (await ask(question, { input, output, signal })).toLowerCase();
    all = answer === "a" || answer === "all";
    return all || answer === "y" || answer === "yes";
  };
}

/** The answer, a line without the space around it; empty at an interrupt. */
export async function ask(question: string, { input, output, signal }: Terminal): Promise<string> {
  if (input.readableEnded) throw nobodyThere();
  // Not as a terminal: in its own line editor Ctrl-C would be a key and no signal.
  const prompt = createInterface({ input, output, terminal: false });
  try {
    const gone = new Promise<never>((_, reject) => {
      prompt.once("close", () => reject(nobodyThere()));
    });
    const answer = await Promise.race([prompt.question(question, { signal }), gone]);
    return answer.trim();
  } catch (error) {
    if (signal.aborted) return "";
    throw error;
  } finally {
    prompt.close();
  }
}

function nobodyThere(): PmcoderError {
  return new PmcoderError("interrupted", "The terminal was closed at a question.");
}

/** The command as it will run, made visible: a character that hides or turns text must not mislead. */
export function indent(command: string): string {
  const visible = command.replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\u2028\u2029]/gu, "\ufffd");
  return visible.replaceAll(/^/gm, "    ");
}
