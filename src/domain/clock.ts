/** Time as a port, so that tests and replays decide it. */
export interface Clock {
  /** Milliseconds since the epoch. It only goes forward, so that differences are durations. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
