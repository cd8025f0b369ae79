import { PmcoderError } from "../domain/errors.ts";

type Interrupt = "SIGINT" | "SIGTERM";

/** What listens for signals: `process`, or a test's emitter. */
export interface SignalSource {
  on(signal: Interrupt, listener: () => void): unknown;
  off(signal: Interrupt, listener: () => void): unknown;
}

export interface Interruption {
  /** Aborts at the first signal, with a PmcoderError `interrupted` whose cause is its name. */
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
      const message = "Interrupted. What was running has been ended.";
      controller.abort(new PmcoderError("interrupted", message, { cause: name }));
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
