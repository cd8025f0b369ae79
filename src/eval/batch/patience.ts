import type { BatchEvent } from "./batch-event.ts";

/**
 * Instances that fail one after another, with no run in between that counts, after which something
 * all of them need must be broken: the engine, the key, the disk. Our choice: one instance whose
 * image is missing fails all its runs, and two may do so by chance.
 */
const patience = 5;

/**
 * Watches a batch; calls `onBroken` once when it is no use to go on, with the last reason. The
 * instance of a job: the rest of its id after arm and seed.
 */
export function watchForBreakdown(onBroken: (reason: string) => void): (event: BatchEvent) => void {
  const failed = new Set<string>();
  let isBroken = false;
  return (event) => {
    if (event.type === "graded") failed.clear();
    if (event.type !== "failed" || event.status === "interrupted") return;
    failed.add(event.job.split("/").slice(2).join("/"));
    if (isBroken || failed.size < patience) return;
    isBroken = true;
    onBroken(
      `${patience} instances failed one after another, the last one so: ${event.reason} Mend it and start the same command again.`,
    );
  };
}
