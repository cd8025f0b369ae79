import type { Clock } from "../domain/clock.ts";
import { grow } from "../domain/conversation.ts";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import type { Message } from "../domain/message.ts";
import type { Purpose } from "../domain/model.ts";
import type { LimitsRecord } from "../domain/site.ts";
import { activeMs, nothingSpent, spend } from "./limits.ts";
import { advanceCourse, notBegun } from "./occasion.ts";

/** How a process that goes on with a run differs from the one before. */
export interface Resumption {
  /** The environment is another one than the past knows. */
  readonly rebuilt: boolean;
  /** Limits that are others from here on. */
  readonly limits: LimitsRecord;
}

/** Something that the model must know once: its environment was built anew, a limit was raised. */
type News = "rebuilt" | "raised";

interface LogParts {
  readonly clock: Clock;
  /** Resolves once the events are durable. */
  readonly record: (events: readonly EpisodeEvent[]) => Promise<void>;
  /** What an earlier process recorded. */
  readonly past?: readonly RecordedEvent[];
  readonly redact?: <T>(value: T) => T;
}

/** The conversation, its course and what it has cost so far, all grown from events alone. */
export class EpisodeLog {
  /** When the run would have started, had it never been interrupted. Epoch ms. */
  readonly startedAt: number;
  readonly messages: Message[] = [];
  /** Replies so far, by what they were asked for. */
  readonly replies = new Map<Purpose, number>();
  spent = nothingSpent;
  course = notBegun;
  /** The model knows that a limit is near. */
  knowsLimit = false;
  /** What else it must be told of the run itself. */
  owed: readonly News[] = [];
  readonly #write: LogParts["record"];
  readonly #redact: <T>(value: T) => T;

  constructor({ clock, record, past = [], redact = (value) => value }: LogParts) {
    this.startedAt = clock.now() - activeMs(past);
    this.#write = record;
    this.#redact = redact;
    this.#take(past);
  }

  /** The messages after the newest reply. */
  get unseen(): readonly Message[] {
    const last = this.messages.findLastIndex(({ role }) => role === "assistant");
    return this.messages.slice(last + 1);
  }

  /** Writes events without their secrets, and only then lets the conversation grow by them. */
  async record(...given: readonly EpisodeEvent[]): Promise<void> {
    if (given.length === 0) return;
    const events = this.#redact(given);
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
      this.course = advanceCourse(this.course, event);
      if (event.type === "reply") this.#count(event.purpose);
      if (event.type === "resume") this.resume(event);
      if (event.type === "remark") this.#remarked(event.about);
    }
  }

  #count(purpose: Purpose): void {
    this.replies.set(purpose, (this.replies.get(purpose) ?? 0) + 1);
  }

  #remarked(about: News | "limit"): void {
    if (about !== "rebuilt") this.knowsLimit = about === "limit";
    this.owed = this.owed.filter((news) => news !== about);
  }
}
