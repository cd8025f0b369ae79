/** A job's lease, renewed until it is let go or lost. */
export interface Renewal {
  /** Aborts when the lease is another's, or may be: it could not be renewed in time. */
  readonly lost: AbortSignal;
  stop(): void;
}

/** Renewals within one lease: two may fail before it is lost. */
const renewals = 3;

/**
 * Keeps a lease of `leaseMs` that was taken just now. `renew` tells whether it is still ours; a
 * rejection counts as not having asked.
 */
export function keepLease(leaseMs: number, renew: () => Promise<boolean>): Renewal {
  const lost = new AbortController();
  let renewedAt = performance.now();
  let asking = false;
  const lose = () => {
    clearInterval(timer);
    lost.abort();
  };
  const ask = async () => {
    const askedAt = performance.now();
    asking = true;
    try {
      if (await renew()) renewedAt = askedAt;
      else lose();
    } catch {
      // The server is away; the lease may hold until it is back.
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > leaseMs) lose();
    else if (!asking) void ask();
  }, leaseMs / renewals);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}
