import type { Clock } from "../domain/clock.ts";
import { grow } from "../domain/conversation.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import type { LimitsRecord } from "../domain/site.ts";
import { activeMs, nothingSpent, spend } from "./limits.ts";

/** How a process that goes on with a run differs from the one before. */
export interface Resumption {
  /** The environment is another one than the past knows. */
  readonly rebuilt: boolean;
  /** Limits that are others from here on. */
  readonly limits: LimitsRecord;
}

/** Something that the model must know once: its environment was built anew, a limit was raised. */
type News = "rebuilt" | "raised";

/** The conversation and what it has cost so far, both grown from events alone. */
export class EpisodeLog {
  /** When the run would have started, had it never been interrupted. Epoch ms. */
  readonly startedAt: number;
  readonly messages: Message[] = [];
  spent = nothingSpent;
  /** The model knows that a limit is near. */
  knowsLimit = false;
  /** What else it must be told of the run itself. */
  owed: readonly News[] = [];
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
    if (events.length === 0) return;
    await this.#write(events);
    this.#take(events);
  }

  /** Another process goes on with the run. */
  resume({ rebuilt, limits }: Resumption): void {
    const raised = this.knowsLimit && Object.keys(limits).length > 0;
    if (raised) this.#owe("raised");
    if (rebuilt) this.#owe("rebuilt");
  }

  #owe(news: News): void {
    if (!this.owed.includes(news)) this.owed = [...this.owed, news];
  }

  #take(events: readonly EpisodeEvent[]): void {
    for (const event of events) {
      grow(this.messages, event);
      this.spent = spend(this.spent, event);
      if (event.type === "resume") this.resume(event);
      if (event.type === "remark") this.#remarked(event.about);
    }
  }

  #remarked(about: News | "limit"): void {
    if (about !== "rebuilt") this.knowsLimit = about === "limit";
    this.owed = this.owed.filter((news) => news !== about);
  }
}
