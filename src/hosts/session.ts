import type { Advice } from "../substrate/state.ts";
import { type HostRecord, hostRecord } from "../trajectories/host-log.ts";
import { linesFrom, sizeOf, snapshotText, writeSnapshot } from "./session-files.ts";
import { SessionLog, type SessionPlace } from "./session-log.ts";
import { fold, nothingYet, type SessionRules, type SessionState } from "./session-state.ts";

/**
 * Records after which the state is kept again: writing it takes as long as folding a few of them (our
 * choice).
 */
const keptEvery = 5;

interface Snapshot {
  readonly version: string;
  /** Bytes of the log that `state` knows. */
  readonly offset: number;
  readonly root: string;
  readonly state: SessionState;
}

/** How far a log was read. */
export interface ReadOn {
  /** Up to the line that was asked for. */
  readonly isDone: boolean;
  /** Of that line's call; null when it is none or was told before, and when time was up. */
  readonly advice: Advice | null;
}

/**
 * A session in its files. The state is the fold of the log's lines: whoever added one sees its place
 * among all others, and a damaged state is made anew. What is kept of it only saves folding again.
 */
export class Session {
  readonly #place: SessionPlace;
  readonly #log: SessionLog;
  #config: SessionRules["config"] | null = null;
  #state: SessionState;
  #offset: number;
  /** Records that the kept state does not know. */
  #unkept = 0;
  /** The root that the log names. */
  #root: string;

  constructor(place: SessionPlace, log: SessionLog = new SessionLog(place)) {
    this.#place = place;
    this.#log = log;
    const kept = this.#snapshot();
    this.#state = kept?.state ?? nothingYet;
    this.#offset = kept?.offset ?? 0;
    this.#root = kept?.root ?? place.root;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether configuration is needed before records can be read: nothing has begun yet. */
  get wantsConfig(): boolean {
    return this.#state.substrate === null && this.#config === null;
  }

  set config(config: SessionRules["config"]) {
    this.#config = config;
  }

  /** Adds a record and reads on up to it. Throws the system's error. */
  add(record: HostRecord): ReadOn {
    return this.readOn(this.#log.append(record), Number.POSITIVE_INFINITY);
  }

  /**
   * Reads the log up to the line `own`, or to its end if that is null; no further than `until` on the
   * place's clock: then a later call reads on from there. Throws the system's error.
   */
  readOn(own: string | null, until: number): ReadOn {
    for (const { text, end } of linesFrom(this.#log.files.log, this.#offset)) {
      if (this.#place.now() > until) return { isDone: false, advice: null };
      const advice = this.#foldLine(text);
      this.#offset = end;
      this.#unkept += 1;
      if (text === own) return { isDone: true, advice };
    }
    return { isDone: own === null, advice: null };
  }

  /** Keeps the state if that is worth it for the next process. Throws the system's error. */
  saveSometimes(): void {
    if (this.#unkept >= keptEvery) this.save();
  }

  /** Keeps the state, so that nobody need fold the log again. Throws the system's error. */
  save(): void {
    this.#unkept = 0;
    const [offset, root, state] = [this.#offset, this.#root, this.#state];
    const snapshot: Snapshot = { version: this.#place.version, offset, root, state };
    writeSnapshot(this.#log.files, snapshot);
  }

  #foldLine(text: string): Advice | null {
    if (text === "") return null;
    const record = hostRecord(text);
    if (record === null) {
      const excerpt = JSON.stringify(text.slice(0, 80));
      this.#place.warn(`${this.#log.files.log}: a line is no record and was left out: ${excerpt}`);
      return null;
    }
    if (record.type === "session") this.#root = record.root;
    const config = this.#state.substrate?.rules ?? this.#config;
    if (config === null) throw new Error("A session was read before its configuration was set.");
    const { state, advice } = fold(this.#state, record, { config, root: this.#root });
    this.#state = state;
    return advice;
  }

  /** What was kept, if it can be gone on from. */
  #snapshot(): Snapshot | null {
    const { files } = this.#log;
    const text = snapshotText(files);
    if (text === null) return null;
    const kept = parsed(text);
    const again = "the session was read from its log again.";
    if (kept === null) {
      this.#place.warn(`${files.snapshot} is damaged; ${again}`);
      return null;
    }
    if (kept.version !== this.#place.version) {
      this.#place.warn(`${files.snapshot} is of pmcoder ${kept.version}; ${again}`);
      return null;
    }
    return kept.offset <= sizeOf(files.log) ? kept : null;
  }
}

function parsed(text: string): Snapshot | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { version, offset, root, state } = value as Record<string, unknown>;
    const isNamed = typeof version === "string" && typeof root === "string";
    const isWhole = typeof offset === "number" && typeof state === "object" && state !== null;
    return isNamed && isWhole ? (value as Snapshot) : null;
  } catch {
    return null;
  }
}
