/**
 * What a command printed, stdout and stderr as they came, in raw bytes: `head` and `tail` are the
 * two ends, each at most `captureBytes`; together they are the whole when `head.length +
 * tail.length === totalBytes`. `file` is the path, inside the environment, of the complete output.
 */
export interface Output {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly totalBytes: number;
  readonly file: string;
}

export interface CommandResult {
  /** The exit status as bash reports it (128 + n for a signal); 124 with `timedOut`. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** The caller's signal ended it: the effect is unknown. */
  readonly interrupted: boolean;
  /** Processes of this command are still alive; they end with the environment. */
  readonly background: boolean;
  readonly output: Output;
  readonly seconds: number;
}

export interface ExecuteOptions {
  readonly timeoutSec: number;
  readonly signal?: AbortSignal;
  /** An errand, and no command of the agent's: its output is not kept, the next errand's takes its place. */
  readonly errand?: true;
}

/**
 * A place where commands run, with one repository in it.
 *
 * Contract (test/contracts/environment.ts): each command is a fresh `bash -c` (`sh -c` in an image
 * without bash) in a process group of its own, started in `workdir`, with no standard input and no
 * controlling terminal; nothing but files persists. A time limit or an aborted signal kills the
 * whole group.
 * A background child delays nothing. Secrets of the caller's environment are not in the child's.
 * Whatever the command does, `execute` resolves with its exit status: it rejects only with
 * PmcoderError `environment_lost`, after which every call does. Calls do not overlap.
 */
export interface Environment {
  readonly kind: "docker" | "bubblewrap" | "local";
  /** Absolute path of the repository as commands see it. */
  readonly workdir: string;
  /**
   * Absolute path, as commands see it, of a folder outside the repository that lasts as long as the
   * working copy or the container: for pmcoder's own records.
   */
  readonly records: string;
  execute(command: string, options: ExecuteOptions): Promise<CommandResult>;
  /** The bytes of a file by its path inside the environment; rejects if there is none. */
  read(path: string): Promise<Uint8Array>;
  /** Ends every process of the episode and removes the working copy. May be called twice. */
  close(): Promise<void>;
}
