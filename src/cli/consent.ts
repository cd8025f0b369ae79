import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

/** Who is asked before a command runs; true lets it run. */
export type Approve = (command: string) => Promise<boolean>;

/** Nobody: the sandbox protects, or the user said yes to all. */
export const approveAll: Approve = async () => true;

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Asks at the terminal before each command: y runs it, a runs it and all that follow, anything else
 * refuses it. An interrupt while asking refuses.
 */
export function askEach({ input, output, signal }: Terminal): Approve {
  let all = false;
  return async (command) => {
    if (all) return true;
    const prompt = createInterface({ input, output });
    try {
      const question = `Run in your own system, without a sandbox?\n${indent(command)}\n[y]es, [a]ll from now on, [N]o: `;
      const answer = (await prompt.question(question, { signal })).trim().toLowerCase();
      all = answer === "a" || answer === "all";
      return all || answer === "y" || answer === "yes";
    } catch {
      return false;
    } finally {
      prompt.close();
    }
  };
}

/** The command as it will run, made visible: a hidden control character must not mislead. */
function indent(command: string): string {
  const visible = command.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
  return visible.replaceAll(/^/gm, "    ");
}
