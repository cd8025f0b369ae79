import type { EpisodeEvent } from "../../domain/episode.ts";
import type { Evidence } from "../../substrate/state.ts";

/**
 * The evidence after a call: what its own grounding events say, else what stood before. A tree that
 * was changed without being named anew, by writing scratch files, has no name.
 */
export function evidenceAfter(
  before: Evidence,
  { mutating }: { readonly mutating: boolean },
  events: readonly EpisodeEvent[],
): Evidence {
  const integrity = events.findLast((event) => event.type === "integrity");
  const verdict = events.findLast((event) => event.type === "verdict");
  return {
    verdict: verdict?.verdict ?? before.verdict,
    checked: integrity?.checked ?? [],
    corrupt: integrity?.corrupt.map(({ file }) => file) ?? [],
    tree: verdict ? verdict.signature : mutating ? null : before.tree,
  };
}
