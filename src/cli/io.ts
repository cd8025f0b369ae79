import type { Readable, Writable } from "node:stream";
import type { Env, TextStream } from "./env.ts";
import type { SignalSource } from "./signals.ts";

/** What a command has of the world: the process's own, or a test's. */
export interface Io {
  readonly env: Env & Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Omit<TextStream, "write"> & Writable;
  /** Text for people. */
  readonly stderr: Omit<TextStream, "write"> & Writable;
  readonly signals: SignalSource;
  /** Ends the process at once. */
  readonly leave: (code: number) => void;
}
