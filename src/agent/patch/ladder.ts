import type { EpisodeEvent } from "../../domain/episode.ts";

/** A saved state of the repository, and what is known of it as a patch. */
export interface Candidate {
  readonly step: number;
  readonly callId: string;
  readonly tree: string;
  /** The reproduction script passed on it. */
  readonly passes: boolean;
  /** No edited file fails to parse. */
  readonly parses: boolean;
  readonly empty: boolean;
}

/** All that a run has saved, as far as it decides which patch to submit: a fold over its events. */
export interface Ladder {
  /** Name of the tree that the states are taken against. */
  readonly base: string | null;
  readonly newest: Candidate | null;
  /** The best of those before the newest. */
  readonly earlier: Candidate | null;
  readonly corrupt: readonly string[];
}

export const noLadder: Ladder = { base: null, newest: null, earlier: null, corrupt: [] };

/** pass > parses and non-empty > non-empty > empty (our choice). */
function rank({ passes, parses, empty }: Candidate): number {
  if (empty) return 0;
  if (passes) return 3;
  return parses ? 2 : 1;
}

/** What to submit when a limit or a crash ends the run; of two equal ones the later. */
export function bestOf({ newest, earlier }: Pick<Ladder, "newest" | "earlier">): Candidate | null {
  if (newest === null || earlier === null) return newest ?? earlier;
  return rank(newest) >= rank(earlier) ? newest : earlier;
}

export function climb(ladder: Ladder, event: EpisodeEvent): Ladder {
  const { newest, corrupt } = ladder;
  switch (event.type) {
    case "begin":
    case "resume": {
      const { tree } = event.base;
      // States of another base cannot be submitted as patches of this one.
      return tree === ladder.base ? ladder : { ...noLadder, base: tree, corrupt };
    }
    case "snapshot": {
      const { step, callId, tree, bytes } = event;
      const parses = corrupt.length === 0;
      const saved = { step, callId, tree, passes: false, parses, empty: bytes === 0 };
      return { ...ladder, newest: saved, earlier: bestOf(ladder) };
    }
    case "integrity": {
      const whole = corrupt.filter((file) => !event.checked.includes(file));
      const broken = [...whole, ...event.corrupt.map(({ file }) => file)];
      const parses = broken.length === 0;
      return { ...ladder, corrupt: broken, newest: revised(newest, event, { parses }) };
    }
    case "verdict":
      return { ...ladder, newest: revised(newest, event, { passes: event.verdict === "pass" }) };
    default:
      return ladder;
  }
}

/** Grounding speaks of the state that the same call left. */
function revised(
  newest: Candidate | null,
  { callId }: { readonly callId: string },
  known: Partial<Candidate>,
): Candidate | null {
  return newest?.callId === callId ? { ...newest, ...known } : newest;
}
