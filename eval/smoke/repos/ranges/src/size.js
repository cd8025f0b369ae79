import { merge } from "./merge.js";

/** How many whole numbers lie in at least one of the ranges. */
export function size(ranges) {
  return merge(ranges).reduce((sum, [from, to]) => sum + to - from + 1, 0);
}
