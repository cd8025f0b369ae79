/**
 * A program that owns an environment and is killed by a test while a command runs:
 * `tsx owner.ts '{"kind":"local","options":{...},"command":"..."}'`. It says "running" first.
 */
import { type BubblewrapOptions, openBubblewrap } from "../../src/environments/bubblewrap.ts";
import { openLocal } from "../../src/environments/local.ts";

export interface Ownership {
  readonly kind: "local" | "bubblewrap";
  readonly options: Omit<BubblewrapOptions, "env">;
  readonly command: string;
}

const { kind, options, command }: Ownership = JSON.parse(process.argv[2] ?? "");
const open = kind === "local" ? openLocal : openBubblewrap;
const environment = await open({ ...options, env: process.env });
await environment.execute(command, { timeoutSec: 60 });
process.stdout.write("running\n");
await environment.execute("sleep 60", { timeoutSec: 60 });
