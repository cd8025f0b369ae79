import { PmcoderError } from "../domain/errors.ts";
import type { Interruption, SignalSource } from "./signals.ts";

/** As for one run, but the first signal only ends the taking of more work. */
export interface StagedInterruption extends Interruption {
  /** Aborts at the first signal; `signal` does at the second. */
  readonly drain: AbortSignal;
}

const names = ["SIGINT", "SIGTERM"] as const;

/** At the third signal `leave` is called, with the name of the first. */
export function listenInStages(
  source: SignalSource,
  leave: (first: (typeof names)[number]) => void,
): StagedInterruption {
  const [drain, end] = [new AbortController(), new AbortController()];
  const got: (typeof names)[number][] = [];
  const listeners = names.map((name) => {
    const listener = () => {
      got.push(name);
      const [first = name] = got;
      if (got.length === 1) drain.abort();
      else if (got.length > 2) leave(first);
      else {
        const message = "Interrupted. What was running has been ended.";
        end.abort(new PmcoderError("interrupted", message, { cause: first }));
      }
    };
    source.on(name, listener);
    return { name, listener };
  });
  return {
    drain: drain.signal,
    signal: end.signal,
    received: () => got[0],
    release: () => {
      for (const { name, listener } of listeners) source.off(name, listener);
    },
  };
}
