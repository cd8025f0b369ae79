import { RunConfig } from "../../src/domain/config/run-config.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { advanceAll, type EpisodeView, episodeView } from "../../src/viewer/episode-view.ts";
import { foreignRecording } from "../../src/viewer/foreign-recording.ts";
import { beginStanding, type Insight, lookInto, type Standing } from "../../src/viewer/insight.ts";
import type { Recording } from "../../src/viewer/recording.ts";
import { runRecording } from "../../src/viewer/run-recording.ts";
import { episodeOf, type Told } from "../eval/episodes.ts";
import { recorded } from "../trajectories/recorded-episode.ts";

export const fullConfig = RunConfig.parse({});

/** A run of ours from its events, as the journal gives them. */
export function recordingOf(events: readonly EpisodeEvent[]): Recording {
  return runRecording(recorded("20261130-142501-ab12", events), fullConfig);
}

/** A trajectory by what its turns ran. */
export function toldRecording(told: readonly (string | Told)[], config = fullConfig): Recording {
  return foreignRecording(episodeOf(told), config);
}

/** What plan and memory made of each complete turn, and where they stand at the end. */
export function insightsOf(recording: Recording): {
  readonly insights: readonly Insight[];
  readonly end: Standing;
} {
  let end = beginStanding(recording);
  const insights = recording.turns.map((turn) => {
    const { after, insight } = lookInto(end, turn);
    end = after;
    return insight;
  });
  return { insights, end };
}

/** A trajectory as its page shows it, plan and memory through with it. */
export function viewOf(told: readonly (string | Told)[]): EpisodeView {
  const recording = toldRecording(told);
  return episodeView(recording, advanceAll(recording));
}
