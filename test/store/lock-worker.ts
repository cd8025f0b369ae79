import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { RunLock } from "../../src/domain/run-lock.ts";
import { openRunLocks } from "../../src/store/run-lock.ts";

/**
 * A process of its own that does what its standard input says, a line each: `take RUN AT` takes the
 * run at that time (epoch ms), and tells `took`, or the refusal; `drop` lets it go; `child` starts
 * another process that outlives this one, and tells its pid; `forget` keeps no word of the lock.
 */
const [folder = ""] = process.argv.slice(2);
const locks = openRunLocks(folder, { now: () => Date.now() });
const say = (text: string) => process.stdout.write(`${text}\n`);
let lock: RunLock | null = null;

async function take(run: string, at: number): Promise<void> {
  while (Date.now() < at);
  try {
    lock = await locks.acquire(run);
    say("took");
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

async function obey([word = "", run = "", at = "0"]: readonly string[]): Promise<void> {
  if (word === "take") await take(run, Number(at));
  if (word === "child") {
    say(`${spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid}`);
  }
  if (word === "forget") {
    lock = null;
    globalThis.gc?.();
    say("forgot");
  }
  if (word === "drop") {
    await lock?.release();
    say("dropped");
  }
}

for await (const line of createInterface({ input: process.stdin })) await obey(line.split(" "));
