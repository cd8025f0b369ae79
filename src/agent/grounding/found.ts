import type { EpisodeEvent } from "../../domain/episode.ts";
import type { Found } from "../../substrate/evidence.ts";

/** What the events of one call say of it. */
export function foundIn(events: readonly EpisodeEvent[]): Found {
  return {
    integrity: events.findLast((event) => event.type === "integrity") ?? null,
    verdict: events.findLast((event) => event.type === "verdict") ?? null,
  };
}
