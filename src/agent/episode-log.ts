import type { Clock } from "../domain/clock.ts";
import { grow } from "../domain/conversation.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import { activeMs, nothingSpent, spend } from "./limits.ts";

/** The conversation and what it has cost so far, both grown from events alone. */
export class EpisodeLog {
  /** When the run would have started, had it never been interrupted. Epoch ms. */
  readonly startedAt: number;
  readonly messages: Message[] = [];
  spent = nothingSpent;
  hasWrappedUp = false;
  readonly #write: (events: readonly EpisodeEvent[]) => Promise<void>;

  /** `write` resolves once the events are durable; `past`: what an earlier process recorded. */
  constructor(
    clock: Clock,
    write: (events: readonly EpisodeEvent[]) => Promise<void>,
    past: readonly RecordedEvent[] = [],
  ) {
    this.startedAt = clock.now() - activeMs(past);
    this.#write = write;
    this.#take(past);
  }

  /** The messages after the newest reply. */
  get unseen(): readonly Message[] {
    const last = this.messages.findLastIndex(({ role }) => role === "assistant");
    return this.messages.slice(last + 1);
  }

  async record(...events: readonly EpisodeEvent[]): Promise<void> {
    await this.#write(events);
    this.#take(events);
  }

  #take(events: readonly EpisodeEvent[]): void {
    for (const event of events) grow(this.messages, event);
    this.spent = events.reduce(spend, this.spent);
    this.hasWrappedUp ||= events.some(
      (event) => event.type === "remark" && event.about === "limit",
    );
  }
}
