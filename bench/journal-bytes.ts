import { existsSync, readFileSync } from "node:fs";
import { benchEpisode } from "./bench-episode.ts";
import type { Benchmark } from "./figure.ts";

const steps = 250;

function bytesWritten(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

/**
 * Everything this process writes during a run of 250 steps (journal, its log, supervisor calls,
 * trajectory) against the size of its trajectory.json; commands print 2 kB, as real ones do on
 * average.
 */
export const journalBytes: Benchmark = async () => {
  if (!existsSync("/proc/self/io"))
    return [{ figure: "journal_bytes", skipped: "no /proc/self/io" }];
  const before = bytesWritten();
  const commands = Array.from({ length: steps }, (_, n) => `seq ${n} ${n + 400} | head -c 2000`);
  const { trajectoryBytes } = await benchEpisode(commands);
  const value = bytesWritten() - before;
  const ratio = value / trajectoryBytes;
  const peer = { name: "size of trajectory.json", value: trajectoryBytes };
  const goal = "ratio <= 3";
  return [{ figure: "journal_bytes", value, unit: "B", n: 1, peer, ratio, goal, met: ratio <= 3 }];
};
