import type { ExitStatus } from "../../domain/episode.ts";
import type { JobEvent } from "../experiment/progress.ts";

/** What whoever watches a batch is told. */
export type BatchEvent =
  | JobEvent
  /** Why an attempt did not count: the infrastructure's fault, or an interruption. */
  | {
      readonly type: "failed";
      readonly job: string;
      readonly at: number;
      readonly status: ExitStatus;
      readonly reason: string;
    }
  /** A line for people. */
  | { readonly type: "note"; readonly text: string };

export type Tell = (event: BatchEvent) => void;
