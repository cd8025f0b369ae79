import type { Experiment } from "./experiment.ts";

/** What an experiment has spent, and what is under way. US dollars. */
export interface Spending {
  /** By all attempts of all processes, failed ones included. */
  readonly spent: number;
  /** Runs under way that cost money; each may still spend the cap of one run. */
  readonly running: number;
}

/**
 * Whether one more run may start without the whole ever passing the experiment's cap: every run is
 * counted with its own cap until it has ended. A run that costs nothing always may. (An arm with
 * `costRule: spent` can pass its cap by one call.)
 */
export function mayStart(
  { spent, running }: Spending,
  { totalUsd, perRunUsd }: Experiment["caps"],
  isFree: boolean,
): boolean {
  return isFree || spent + (running + 1) * perRunUsd <= totalUsd;
}
