import type { Environment } from "../../domain/environment.ts";
import type { EpisodeEvent } from "../../domain/episode.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { SnapshotShelf } from "../../domain/snapshots.ts";
import { understandNext } from "../../substrate/command.ts";
import type { SegmentClass } from "../../substrate/shell/action.ts";
import { noMemory } from "../../substrate/shell/memory.ts";
import type { Base } from "./base.ts";
import { climb, type Ladder, noLadder } from "./ladder.ts";
import { takeSnapshot } from "./take-snapshot.ts";

export interface SnapshotParts {
  readonly environment: Environment;
  readonly base: Base;
  readonly shelf: SnapshotShelf;
  readonly maxFileBytes: number;
}

/** Segments after which files may be others although the text names none. */
const mayWrite: readonly SegmentClass[] = ["edit", "revert", "execute", "setup", "other"];

/**
 * Keeps the state of the repository outside its environment, after every command that may have
 * changed it, so that a lost environment or a broken end costs no work. Which states it keeps is a
 * fold over the run's events.
 */
export class Snapshots {
  readonly #parts: SnapshotParts;
  #ladder: Ladder = noLadder;
  #shell = noMemory;
  #isDue = false;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  get ladder(): Ladder {
    return this.#ladder;
  }

  /** Whether the newest command that was noted may have changed something. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Takes up what was recorded, in this process or an earlier one. */
  note(events: readonly EpisodeEvent[]): void {
    for (const event of events) {
      this.#ladder = climb(this.#ladder, event);
      if (event.type === "command") this.#understand(event);
    }
  }

  /**
   * Saves the state that a call left, if it is another than the newest. Never rejects but for a
   * lost environment or a full disk.
   */
  async after({
    step,
    callId,
  }: {
    readonly step: number;
    readonly callId: string;
  }): Promise<readonly EpisodeEvent[]> {
    const { environment, base, shelf, maxFileBytes } = this.#parts;
    try {
      const known = this.#ladder.newest?.tree ?? base.tree;
      const taken = await takeSnapshot(environment, base, { maxFileBytes, known });
      if (taken === null) return [];
      const { tree, patch } = taken;
      const saved: EpisodeEvent = { type: "snapshot", step, callId, tree, bytes: patch.length };
      shelf.put(tree, patch);
      const { newest, earlier } = climb(this.#ladder, saved);
      shelf.keepOnly([newest, earlier, this.#ladder.newest].flatMap((one) => one?.tree ?? []));
      return [saved];
    } catch (error) {
      if (!(error instanceof PmcoderError) || error.code !== "internal") throw error;
      return [{ type: "notice", text: `The work could not be saved: ${error.message}` }];
    }
  }

  #understand({ command, note }: Extract<EpisodeEvent, { type: "command" }>): void {
    const place = { root: this.#parts.environment.workdir, files: this.#parts.base.files };
    const { action, shell } = understandNext({ ...place, shell: this.#shell }, command);
    this.#shell = shell;
    // A note tells that the user may have run something of their own.
    const isOwn = note !== undefined;
    this.#isDue = isOwn || action.segments.some((segment) => mayWrite.includes(segment.class));
  }
}
