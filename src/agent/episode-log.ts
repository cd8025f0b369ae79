import type { Clock } from "../domain/clock.ts";
import { grow } from "../domain/conversation.ts";
import type { EpisodeEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import { nothingSpent, spend } from "./limits.ts";

/** The conversation and what it has cost so far, both grown from events alone. */
export class EpisodeLog {
  readonly startedAt: number;
  readonly messages: Message[] = [];
  spent = nothingSpent;
  readonly #write: (events: readonly EpisodeEvent[]) => Promise<void>;

  /** `write` resolves once the events are durable. */
  constructor(clock: Clock, write: (events: readonly EpisodeEvent[]) => Promise<void>) {
    this.startedAt = clock.now();
    this.#write = write;
  }

  /** The messages after the newest reply. */
  get unseen(): readonly Message[] {
    const last = this.messages.findLastIndex(({ role }) => role === "assistant");
    return this.messages.slice(last + 1);
  }

  async record(...events: readonly EpisodeEvent[]): Promise<void> {
    await this.#write(events);
    for (const event of events) grow(this.messages, event);
    this.spent = events.reduce(spend, this.spent);
  }
}
