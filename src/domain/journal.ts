import type { EpisodeEvent, RecordedEvent } from "./episode.ts";

export interface RunRow {
  readonly run: string;
  readonly instanceId: string | null;
  readonly arm: string;
  readonly model: string;
  readonly startedAt: number;
  /** An ExitStatus, or `running`. */
  readonly status: string;
}

/**
 * Where events are kept.
 *
 * Contract (test/contracts/journal.ts): `append` is one transaction: after it returns, its events
 * survive the death of the process, and a reader sees all of them or none. Order is kept. Throws
 * PmcoderError `storage`, naming the file and what to do.
 */
export interface Journal {
  append(run: string, events: readonly EpisodeEvent[]): readonly RecordedEvent[];
  read(run: string): readonly RecordedEvent[];
  /** Newest first. */
  runs(): readonly RunRow[];
  close(): void;
}
