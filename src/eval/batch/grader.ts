import type { DatasetRow } from "../dataset-row.ts";

/** What is to be judged: the patch of a run, or an instance's gold patch. */
export interface Submission {
  /** The job's id, or `gold/INSTANCE`. */
  readonly id: string;
  /** The grader's run id: that of an arm and a seed, or of the gold run. */
  readonly runId: string;
  readonly row: DatasetRow;
  /** Absolute path of the folder with the row's own repository; null: its image has it. */
  readonly repository: string | null;
  /** Empty: there is none. */
  readonly patch: string;
  /** Absolute path of a folder for what the grading leaves: its log, its report. */
  readonly folder: string;
}

export interface Grading {
  /** null: no verdict. */
  readonly resolved: boolean | null;
  /** Why there is no verdict, or what speaks against this one; null: nothing. */
  readonly remark: string | null;
  /** Who judged, and by whose rules; undefined: nobody had to, or it is not known. */
  readonly grader?: string | undefined;
  readonly generation?: "v4" | "v5" | "strict" | undefined;
}

/** Judges patches where their instances can run. */
export interface Grader {
  /** Whose rules and parsers, in which version, for the record; null: nobody judges. */
  readonly version: string | null;
  /**
   * Rejects when it came to no verdict for a reason that another try may not meet; with PmcoderError
   * `interrupted` when the signal came first.
   */
  grade(submission: Submission, signal: AbortSignal): Promise<Grading>;
}
