import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import { isStep } from "../domain/model.ts";
import type { Phase } from "../domain/phase.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

/** What an episode's events add up to so far. */
export interface Tally {
  readonly begin: Of<"begin">;
  /** null: it runs, or was killed; a resumed run has not ended by its first end. */
  readonly end: Of<"end"> | null;
  readonly patch: Of<"patch"> | null;
  readonly calls: { readonly act: number; readonly other: number };
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number };
  /** US dollars of all model calls; null as soon as one has no known price. */
  readonly cost: number | null;
  readonly seconds: number;
  /** Phases in the order they were entered, each with its number of steps. */
  readonly phases: readonly { readonly phase: Phase; readonly steps: number }[];
  readonly backtracks: number;
  /** Of the reproduction script on the last tree that it was asked about; null: it gave none. */
  readonly verdict: "pass" | "fail" | null;
  /** Blocks that were appended to tool results, and their tokens by the substrate's estimate. */
  readonly injected: { readonly blocks: number; readonly tokens: number };
}

/** Throws PmcoderError `storage` when the events do not start with `begin`. */
export function tallyOf(events: readonly RecordedEvent[]): Tally {
  const begin = events[0];
  if (begin?.type !== "begin") {
    throw new PmcoderError(
      "storage",
      `The record of run ${begin?.run ?? "(none)"} starts with ${begin?.type ?? "nothing"}, not with its begin event: it is not whole.`,
    );
  }
  const last = events.at(-1);
  const replies = events.filter((event) => event.type === "reply");
  const act = replies.filter(({ purpose }) => isStep(purpose)).length;
  const sum = (key: "input" | "cached" | "output") =>
    replies.reduce((total, { usage }) => total + usage[key], 0);
  return {
    begin,
    end: last?.type === "end" ? last : null,
    patch: events.findLast((event) => event.type === "patch") ?? null,
    calls: { act, other: replies.length - act },
    tokens: { input: sum("input"), cached: sum("cached"), output: sum("output") },
    cost: replies.reduce<number | null>(
      (total, { cost }) => (total === null || cost === null ? null : total + cost),
      0,
    ),
    seconds: ((last?.at ?? begin.at) - begin.at) / 1000,
    verdict: verdictOf(events.findLast((event) => event.type === "verdict")),
    ...adviceTally(events.filter((event) => event.type === "advice")),
  };
}

function verdictOf(event: Of<"verdict"> | undefined): Tally["verdict"] {
  return event === undefined || event.verdict === "undefined" ? null : event.verdict;
}

/** Characters a token, the substrate's own estimate. */
const charsPerToken = 4;

function adviceTally(
  advice: readonly Of<"advice">[],
): Pick<Tally, "phases" | "backtracks" | "injected"> {
  const blocks = advice.flatMap(({ block }) => block ?? []);
  return {
    phases: advice.reduce<Tally["phases"]>(enter, []),
    backtracks: advice.filter(({ backtrack }) => backtrack).length,
    injected: {
      blocks: blocks.length,
      tokens: blocks.reduce((sum, block) => sum + Math.ceil(block.length / charsPerToken), 0),
    },
  };
}

function enter(phases: Tally["phases"], { phase }: Of<"advice">): Tally["phases"] {
  if (phase === null) return phases;
  const last = phases.at(-1);
  if (last?.phase !== phase) return [...phases, { phase, steps: 1 }];
  return [...phases.slice(0, -1), { phase, steps: last.steps + 1 }];
}
