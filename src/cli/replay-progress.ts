import type { TextStream } from "./env.ts";
import { cut } from "./terminal-text.ts";

const quietMs = 2000;
const eraseLine = "\r\u001b[2K";

/** Tells how far a long computation is, on a terminal and once it has taken two seconds. */
export interface Counter {
  /** About to do the next of so many. */
  tell(done: number, of: number, what: string): void;
  /** Takes the line away, before anything else is written and at the end. */
  clear(): void;
}

export function counterOn(stream: TextStream, now: () => number): Counter {
  const startedAt = now();
  let shown = false;
  return {
    tell(done, of, what) {
      if (!stream.isTTY || now() - startedAt < quietMs) return;
      shown = true;
      stream.write(`${eraseLine}${cut(`${done} of ${of}: ${what}`, (stream.columns ?? 80) - 1)}`);
    },
    clear() {
      if (shown) stream.write(eraseLine);
      shown = false;
    },
  };
}
