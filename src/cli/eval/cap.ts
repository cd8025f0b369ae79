import type { RunConfig } from "../../domain/config/run-config.ts";
import { dollars } from "../../domain/quantities.ts";
import { priceOfModel } from "../../models/open-model.ts";
import { systemClock } from "../compose.ts";
import type { BatchStore, Caps } from "./store.ts";

/** Whether a model costs money that is counted. */
export function isPaid(config: RunConfig["model"]): boolean {
  const price = priceOfModel(config);
  return price !== null && (price.input > 0 || price.output > 0);
}

export const capReason = ({ totalUsd, perRunUsd }: Caps) =>
  `Another run, which may cost ${dollars(perRunUsd)}, could pass the cap of ${dollars(totalUsd)}. Raise caps.totalUsd in the experiment's file and start the same command again.`;

/** Between two looks. Our choice: rare beside runs of minutes. */
const lookMs = 5000;

/**
 * Tells a process that does no jobs itself when the others cannot: jobs wait, none runs, and the
 * budget allows none. Resolves when `over` aborts.
 */
export async function watchCap(
  { queue, budget }: Pick<BatchStore, "queue" | "budget">,
  over: AbortSignal,
  onReached: () => void,
): Promise<void> {
  while (!over.aborted) {
    await systemClock.sleep(lookMs, over).catch(() => {});
    const { waiting, running } = await queue.counts();
    if (over.aborted || waiting === 0 || running > 0) continue;
    if ((await budget.outlook()) === "never") return onReached();
  }
}
