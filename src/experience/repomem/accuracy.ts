/** Whether all gold files are among the first k predicted ones (arXiv:2510.01003). */
export function isCovered(gold: readonly string[], predicted: readonly string[], k: number) {
  const first = new Set(predicted.slice(0, k));
  return gold.length > 0 && gold.every((file) => first.has(file));
}

export interface Located {
  readonly gold: readonly string[];
  readonly predicted: readonly string[];
}

/** Share of instances whose gold files are all among the first k. NaN without instances. */
export function accuracyAt(k: number, instances: readonly Located[]): number {
  const hits = instances.filter(({ gold, predicted }) => isCovered(gold, predicted, k));
  return hits.length / instances.length;
}
