import type { Span } from "../../domain/search-tree.ts";
import type { Overlay } from "../edits.ts";

/** What a tool did. */
export interface Outcome {
  readonly observation: string;
  /** It failed in a way that another try can mend. */
  readonly expectsCorrection: boolean;
  readonly seen: readonly Span[];
  /** The changes after it. */
  readonly overlay: Overlay;
}

/** It could not be done, and why. */
export function failed(observation: string, overlay: Overlay): Outcome {
  return { observation, expectsCorrection: true, seen: [], overlay };
}

/** It showed something and changed nothing. */
export function shown(observation: string, seen: readonly Span[], overlay: Overlay): Outcome {
  return { observation, expectsCorrection: false, seen, overlay };
}
