type Interrupt = "SIGINT" | "SIGTERM";

/** What listens for signals: `process`, or a test's emitter. */
export interface SignalSource {
  on(signal: Interrupt, listener: () => void): unknown;
  off(signal: Interrupt, listener: () => void): unknown;
}

export interface Interruption {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** The first signal, undefined before any. */
  received(): Interrupt | undefined;
  release(): void;
}

/** The first signal asks the work to stop and to be kept; at the second, `leave` is called at once. */
export function listenForSignals(
  source: SignalSource,
  leave: (first: Interrupt) => void,
): Interruption {
  const controller = new AbortController();
  let first: Interrupt | undefined;
  const listeners = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const listener = () => {
      if (first) return leave(first);
      first = name;
      controller.abort();
    };
    source.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    received: () => first,
    release: () => {
      for (const { name, listener } of listeners) source.off(name, listener);
    },
  };
}
