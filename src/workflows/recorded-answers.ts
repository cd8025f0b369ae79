import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { isWorkflowStep } from "../domain/model.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>;

const answering = [
  "stage",
  "reply",
  "observation",
  "experience",
  "node",
  "reward",
  "choice",
] as const;
type Answering = (typeof answering)[number];

function answersIn(event: EpisodeEvent): readonly Of<Answering>[] {
  if (event.type === "reply") return isWorkflowStep(event.purpose) ? [event] : [];
  return answering.flatMap((type) => (isOf(event, type) ? [event] : []));
}

/**
 * What an earlier process of a run got from outside, in order. A workflow is a function of these
 * answers, so the process that goes on computes it again and is given them in place of new ones.
 */
export class RecordedAnswers {
  readonly #rest: Of<Answering>[];
  /** Notices after the last answer. */
  readonly #lastNotices: string[];

  constructor(past: readonly RecordedEvent[]) {
    this.#rest = past.flatMap(answersIn);
    const last = past.findLastIndex((event) => answersIn(event).length > 0);
    this.#lastNotices = past
      .slice(last + 1)
      .flatMap((event) => (event.type === "notice" ? [event.text] : []));
  }

  /** Whether people were told this at this point, as far as it is recorded. */
  tookNote(text: string): boolean {
    if (this.#rest.length > 0) return true;
    const at = this.#lastNotices.indexOf(text);
    if (at !== -1) this.#lastNotices.splice(at, 1);
    return at !== -1;
  }

  /**
   * The next answer; null: from here on everything is new. Throws PmcoderError `usage` when the
   * record goes on with something else: another workflow made it.
   */
  take<Type extends Answering>(
    type: Type,
    fits: (event: Of<Type>) => boolean = () => true,
  ): Of<Type> | null {
    const next = this.#rest.shift();
    if (next === undefined) return null;
    if (isOf(next, type) && fits(next)) return next;
    throw new PmcoderError(
      "usage",
      `The run cannot go on here: its record has ${next.type} where this pmcoder's workflow takes ${type}. Use the version that began it, or start a new run.`,
    );
  }
}

const isOf = <Type extends Answering>(event: EpisodeEvent, type: Type): event is Of<Type> =>
  event.type === type;
