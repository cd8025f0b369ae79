import { neutralLine } from "../../domain/neutral.ts";
import type { ExportedSignal, MemoryStats } from "../../domain/plan.ts";
import { headOf } from "../memory/text.ts";
import type { Recollection } from "./block.ts";

/** A recovery's reason can quote a whole command (our choice: this much is enough). */
const reasonChars = 200;

export interface Sifted {
  /** What no earlier block has shown. The places of the others are not filled again. */
  readonly fresh: readonly Recollection[];
  /** Something was left out, or there was nothing. */
  readonly isThin: boolean;
}

/** Drops the nodes that were shown before (arXiv:2608.06811, III-D). */
export function sift(leading: readonly Recollection[], shown: readonly number[]): Sifted {
  const fresh = leading.filter(({ id }) => !shown.includes(id));
  return { fresh, isThin: fresh.length < leading.length || fresh.length === 0 };
}

/**
 * The one line that stands in for what was sifted out (arXiv:2608.06811, III-D: "a one-line summary
 * of the failed sub-task or a file-churn count"); null when there is nothing to say.
 * @param churn edits of a file since the last passing check from which on they are told.
 */
export function prescription(
  { failedSubTask: failed }: ExportedSignal,
  stats: MemoryStats | null,
  churn: number,
): string | null {
  if (failed !== null) {
    return `sub-task "${neutralLine(failed.title)}" failed: ${headOf(neutralLine(failed.reason), reasonChars)}`;
  }
  const most = Object.entries(stats?.editsSincePass ?? {}).reduce<readonly [string, number]>(
    (top, entry) => (entry[1] > top[1] ? entry : top),
    ["", 0],
  );
  if (most[1] < churn) return null;
  return `${neutralLine(most[0])} edited ${most[1]} times since the last passing check`;
}
