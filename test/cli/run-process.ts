import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { bubblewrapWorks } from "../../src/environments/bubblewrap.ts";
import { capable } from "../capabilities.ts";
import { namesIn, type World } from "./run-world.ts";

export const hasBubblewrap = await capable("bubblewrap", async () => (await bubblewrapWorks()).ok);

/** Where commands can run on this machine. */
export const kinds = hasBubblewrap ? (["bubblewrap", "local"] as const) : (["local"] as const);

/** The command line that starts pmcoder from its source. */
const argv: readonly string[] = [
  process.execPath,
  "--import",
  import.meta.resolve("tsx"),
  fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
];

export interface Running {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** How it ended: its exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  /** A program and its arguments that get the command line of pmcoder as their last words. */
  readonly under?: (line: readonly string[]) => readonly string[];
}

/** pmcoder in a process of its own, started in the repository; it is killed when the test ends. */
export function startPmcoder(
  { home, repo }: World,
  args: readonly string[],
  { env = {}, under = (line) => line }: Around = {},
): Running {
  const [program = "", ...rest] = under([...argv, ...args]);
  const child = spawn(program, rest, {
    cwd: repo,
    env: { HOME: home, PATH: process.env["PATH"], TERM: "dumb", ...env },
    stdio: "pipe",
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
  });
  return {
    child,
    out: () => Buffer.concat(out).toString(),
    err: () => Buffer.concat(err).toString(),
    ended,
  };
}

/** Waits until something is so. Rejects, with what was printed, when the process ends before. */
export async function until(
  isSo: () => boolean,
  { ended, err }: Pick<Running, "ended" | "err">,
): Promise<void> {
  const over = ended.then((code) => {
    if (!isSo()) throw new Error(`ended with ${code} too early: ${err()}`);
  });
  const so = async () => {
    while (!isSo()) await wait(20);
  };
  await Promise.race([so(), over]);
}

/** Waits until no process lives whose command line holds these words. */
export async function gone(words: string): Promise<void> {
  while (lives(words)) await wait(20);
}

/** Whether a process lives whose command line holds these words. */
export function lives(words: string): boolean {
  const { stdout } = spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
  return stdout.split("\n").some((line) => line.includes(words));
}

/** Whether a command's output, in this folder, is this text. */
export function printed(outputs: string, text: string): boolean {
  const names = namesIn(outputs).filter((name) => name.endsWith(".log"));
  return names.some((name) => readFileSync(join(outputs, name), "utf8") === text);
}
