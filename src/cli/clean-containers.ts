import { cleanDead } from "../environments/docker-clean.ts";
import { connectEngine } from "../environments/docker-engine.ts";
import type { Io } from "./io.ts";
import { plural } from "./quantities.ts";
import { visible } from "./terminal-text.ts";

/**
 * `pmcoder doctor --clean`: removes containers whose run is dead, and no others. Returns 1 when one
 * of them could not be removed. Rejects with `environment_lost` without an engine.
 */
export async function cleanContainers({ json }: { json?: true }, io: Io): Promise<0 | 1> {
  const abandoned = await cleanDead(await connectEngine(io.env));
  for (const container of abandoned) {
    if (json) io.stdout.write(`${JSON.stringify(container)}\n`);
    if (container.failure !== null) io.stderr.write(`${visible(container.failure)}\n`);
  }
  const removed = abandoned.filter(({ failure }) => failure === null);
  io.stderr.write(`${plural(removed.length, "container")} of dead runs removed\n`);
  return removed.length === abandoned.length ? 0 : 1;
}
