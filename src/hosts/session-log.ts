import { renameSync, rmSync } from "node:fs";
import {
  type HostRecord,
  hostRecord,
  isHostLog,
  type SessionRecord,
  sessionRecord,
} from "../trajectories/host-log.ts";
import {
  appendLines,
  firstLine,
  type SessionFiles,
  sessionFiles,
  sizeOf,
} from "./session-files.ts";

/** What a session is known by, and where it is kept. */
export interface SessionPlace extends Pick<SessionRecord, "host" | "session" | "root"> {
  /** Where sessions are kept. */
  readonly folder: string;
  /** pmcoder's version: a state of another one is made anew from the log. */
  readonly version: string;
  /** Milliseconds on any clock. */
  readonly now: () => number;
  /** What went wrong without harm, in a sentence. */
  readonly warn: (what: string) => void;
}

/**
 * The log of a session, which is the truth of it: a line a record, only ever appended to. So
 * processes at work at once need no lock. It needs little to be loaded, so that a call is written
 * down before anything can take too long.
 */
export class SessionLog {
  readonly files: SessionFiles;
  readonly #head: SessionRecord;
  #added = 0;

  /** A log that another version wrote is kept aside. Throws the system's error. */
  constructor(place: SessionPlace) {
    this.files = sessionFiles(place.folder, place.session);
    this.#head = sessionRecord(place);
    setForeignAside(this.files, place.warn);
  }

  /** Whether nothing was told of the session yet. Throws the system's error. */
  get isEmpty(): boolean {
    return sizeOf(this.files.log) === 0;
  }

  /** Adds a record; returns its line, which no other is equal to. Throws the system's error. */
  append(record: HostRecord): string {
    const by = `${process.pid}-${process.hrtime.bigint()}-${this.#added++}`;
    const line = JSON.stringify({ ...record, by });
    appendLines(this.files, this.isEmpty ? [JSON.stringify(this.#head), line] : [line]);
    return line;
  }
}

function setForeignAside({ log, snapshot }: SessionFiles, warn: SessionPlace["warn"]): void {
  const first = firstLine(log);
  if (first === null || hostRecord(first)?.type === "session") return;
  const aside = `${log}.other-${Math.trunc(performance.timeOrigin)}`;
  renameSync(log, aside);
  rmSync(snapshot, { force: true });
  const what = isHostLog(`${first}\n`) ? "is of another version" : "does not begin with a session";
  warn(`${log} ${what}; it is now ${aside}, and the session began anew.`);
}
