/** What listens for signals: `process`, or a test's emitter. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

export interface Interruption {
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** 130 after SIGINT, 143 after SIGTERM, null before either. */
  exitCode(): 130 | 143 | null;
  release(): void;
}

/**
 * The first signal asks the work to stop and to be kept; the second does not wait (`exit` is called
 * with the status of the first).
 */
export function listenForSignals(source: SignalSource, exit: (code: number) => void): Interruption {
  const controller = new AbortController();
  let code: 130 | 143 | null = null;
  const on = (status: 130 | 143) => () => {
    if (code !== null) return exit(code);
    code = status;
    controller.abort();
  };
  const onInt = on(130);
  const onTerm = on(143);
  source.on("SIGINT", onInt);
  source.on("SIGTERM", onTerm);
  return {
    signal: controller.signal,
    exitCode: () => code,
    release: () => {
      source.off("SIGINT", onInt);
      source.off("SIGTERM", onTerm);
    },
  };
}
