/**
 * Does the work for each item, `workers` at once, in order. Rejects with the first failure, once
 * nothing is under way any more; what was not begun by then is left.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  workers: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (;;) {
      const next = waiting.next();
      if (next.done === true || failures.length > 0) return;
      await work(next.value).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, worker));
  if (failures.length > 0) throw failures[0];
}
