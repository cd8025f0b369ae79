import type { IssueIdentity, PastEpisode } from "../../domain/experience.ts";
import { type ForeignEpisode, rootOf, stepsOf } from "../../trajectories/foreign.ts";
import { ownEvidence } from "./learn-stages.ts";

export interface KnownOf {
  readonly from: IssueIdentity;
  /** The trajectory's file. */
  readonly source: string;
  /** null: not known, so its own evidence decides. */
  readonly resolved: boolean | null;
}

/** Another agent's episode, or one of ours read back, as memories learn from it. */
export function foreignEpisode(episode: ForeignEpisode, known: KnownOf): PastEpisode {
  const steps = episode.turns.filter(({ rejected }) => !rejected).flatMap(stepsOf);
  const root = rootOf(episode);
  const patch = patchIn(episode.submission ?? "");
  const { from, source } = known;
  const resolved = known.resolved ?? ownEvidence({ steps, root, patch });
  return { from, source, resolved, root, steps, patch };
}

/** The diff in a submission, which may hold more; empty: there is none. */
function patchIn(submission: string): string {
  const start = /^(?:diff --git |--- (?:a\/|\/dev\/null))/m.exec(submission)?.index;
  return start === undefined ? "" : `${submission.slice(start).trimEnd()}\n`;
}
