import { Closing } from "./closing.ts";
import { explain } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { type Interruption, listenForSignals } from "./signals.ts";

/** A command that opens things and may be interrupted. */
export interface Session {
  readonly io: Io;
  readonly interruption: Interruption;
  readonly closing: Closing;
}

/**
 * Works while listening for Ctrl-C, and closes everything that the work opened. What cannot be
 * closed is told, and changes nothing of how the work ended.
 */
export async function inSession<T>(io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  const leave = (first: NodeJS.Signals) => io.leave(first === "SIGTERM" ? 143 : 130);
  const interruption = listenForSignals(io.signals, leave);
  const closing = new Closing();
  closing.add(interruption.release);
  try {
    return await work({ io, interruption, closing });
  } finally {
    for (const failure of await closing.close()) {
      io.stderr.write(`pmcoder: ${explain(failure, io.env)}\n`);
    }
  }
}
