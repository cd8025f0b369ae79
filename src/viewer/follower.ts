import { setImmediate as yieldToOthers } from "node:timers/promises";
import {
  advance,
  beginProgress,
  type EpisodeView,
  episodeView,
  type Progress,
  pendingTurns,
} from "./episode-view.ts";
import type { Recording } from "./recording.ts";

/** Turns that plan and memory do not get through while somebody waits (our choice). */
const manyTurns = 150;

/**
 * An episode that is looked at: it grows while it runs, and plan and memory work through it a few
 * milliseconds at a time, so that a long one can be read at once and other pages are not held up.
 */
export class Follower {
  readonly #reopen: () => Promise<Recording | null>;
  #recording: Recording;
  #progress: Progress;

  constructor(recording: Recording, reopen: () => Promise<Recording | null>) {
    this.#reopen = reopen;
    this.#recording = recording;
    this.#progress = beginProgress(recording);
  }

  /** Something will still be added. */
  get isOpen(): boolean {
    return this.#recording.activity !== null || this.isBehind;
  }

  /** Plan and memory have not got to all complete turns. */
  get isBehind(): boolean {
    return pendingTurns(this.#recording, this.#progress) > 0;
  }

  /** So much is left that waiting a moment would not help. */
  get isFar(): boolean {
    return pendingTurns(this.#recording, this.#progress) > manyTurns;
  }

  /** Reads again what a run has become; turns that were complete stay the same objects. A file stays. */
  async refresh(): Promise<void> {
    if (this.#recording.source === "trajectory") return;
    const before = this.#recording.turns;
    const recording = await this.#reopen();
    if (recording === null) return;
    const turns = recording.turns.map((turn, at) => {
      const known = before[at];
      return known?.complete ? known : turn;
    });
    this.#recording = { ...recording, turns };
  }

  /** Lets plan and memory work for about so long. */
  async work(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (this.isBehind && performance.now() < until) {
      this.#progress = advance(this.#recording, this.#progress);
      await yieldToOthers();
    }
  }

  view(): EpisodeView {
    return episodeView(this.#recording, this.#progress);
  }
}
