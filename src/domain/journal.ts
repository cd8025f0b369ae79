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
 * Contract (test/contracts/journal.ts): `append` is one transaction: once it resolves, its events
 * survive the death of the process, and a reader sees all of them or none. Order is kept. Rejects
 * with PmcoderError `storage`, naming the file or server and what to do.
 */
export interface Journal {
  append(run: string, events: readonly EpisodeEvent[]): Promise<readonly RecordedEvent[]>;
  read(run: string): Promise<readonly RecordedEvent[]>;
  /** Newest first. */
  runs(): Promise<readonly RunRow[]>;
  close(): Promise<void>;
}
