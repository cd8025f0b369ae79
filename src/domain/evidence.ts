import type { Verdict } from "./plan.ts";

/** Files that a command changed, parsed as they stand after it. */
export interface IntegrityRecord {
  readonly callId: string;
  /** Judged; those that are gone count as whole. */
  readonly checked: readonly string[];
  /** Those of them that do not parse. `line` null: not known. */
  readonly corrupt: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly message: string;
  }[];
  /** Appended to the tool result; null when every file parses. */
  readonly note: string | null;
}

/** What the reproduction script says of the tree after a command that changed source. */
export interface VerdictRecord {
  readonly callId: string;
  readonly verdict: Verdict;
  /** The name of the tree; null: nobody asked, because a source file does not parse. */
  readonly signature: string | null;
  /** The tree was known, so the script did not run. */
  readonly cached: boolean;
  /** Of the script, if it ran here: 124 at its time limit. */
  readonly exitCode: number | null;
  readonly seconds: number;
  /** The end of the output of the run that the verdict stands on. */
  readonly tail: string;
  /** Appended to the tool result; null when there is nothing to tell. */
  readonly note: string | null;
}
