import type { RunConfig } from "./config/run-config.ts";
import type { ExitStatus } from "./episode.ts";

/** What the patch of a run is taken against. */
export interface BaseRecord {
  readonly tree: string;
  /** HEAD at the start, null if there was none. */
  readonly commit: string | null;
  /** Absolute path of the private git folder's place, as commands see it. */
  readonly store: string;
}

/** Ends after which a run goes on best where it stopped, so that its place is kept if it can be. */
export const pauses: readonly ExitStatus[] = [
  "interrupted",
  "environment_lost",
  "model_unavailable",
  "error",
];

/** Where the work of a run stands. Paths are absolute, of this machine. */
export interface SiteRecord {
  readonly image: string | null;
  /** Top of the user's repository; null: the image has its own. */
  readonly repository: string | null;
  /** The folder that holds the working copy; null in a container. */
  readonly copy: string | null;
  /** Name of the container. */
  readonly container: string | null;
}

export type LimitsRecord = Partial<
  Pick<RunConfig["agent"], "stepLimit" | "costLimit" | "timeLimitSec">
>;
