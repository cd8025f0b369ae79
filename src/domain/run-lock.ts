/** The process that works on a run. */
export interface Holder {
  readonly pid: number;
  /** Name of the machine, or the container, in which the number means this process. */
  readonly host: string;
  /** When it took the lock, epoch ms. */
  readonly since: number;
}

/** One run, held by this process alone. */
export interface RunLock {
  /** Lets go of the run. May be called twice. */
  release(): Promise<void>;
}

/**
 * Who may work on a run: one process at a time.
 *
 * Contract (test/contracts/run-locks.ts): a lock dies with its owner, however that ends, and can
 * then be taken with nothing done by hand; of several that ask at once, exactly one gets it.
 */
export interface RunLocks {
  /**
   * Takes the run. Rejects with PmcoderError `usage`, naming the holder, while another process (or
   * this one) has it; with `storage` where nothing can be locked.
   */
  acquire(run: string): Promise<RunLock>;
  /** Whether some process works on the run now. */
  isHeld(run: string): Promise<boolean>;
}
