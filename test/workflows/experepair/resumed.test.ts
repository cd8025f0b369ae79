import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import type { EpisodeEvent, RecordedEvent } from "../../../src/domain/episode.ts";
import { experepair } from "../../../src/workflows/experepair/workflow.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { testEpisode } from "../../episode-parts.ts";
import { replyingBy } from "../replies-by-purpose.ts";
import { files, issue, replies } from "./small-issue.ts";

const solve = solveBy(experepair);
const config = {
  workflow: { experepair: { patchTemperatures: [0, 0.8], validationTemperatures: [0] } },
};

/** What is the same in two runs of the same thing: all but times and the paths of this run. */
function comparable(events: readonly EpisodeEvent[]): readonly EpisodeEvent[] {
  const same = events
    .filter(({ type }) => type !== "resume" && type !== "begin")
    .map((event) => ("seconds" in event ? { ...event, seconds: 0 } : event));
  return JSON.parse(JSON.stringify(same).replaceAll(/pmcoder-repo-\w+/g, "repo"));
}

/** Where one append ends and the next begins: a question is written with its reply. */
const isCut = ({ type }: EpisodeEvent) => type !== "question";

describe("experepair, killed", () => {
  it("goes on to the same record and the same patch, and pays for nothing twice", async () => {
    const whole = await testEpisode(replyingBy(replies), files, { issue, config });
    const expected = await runEpisode({ ...whole.parts, solve });
    const [begun] = whole.events;
    if (begun?.type !== "begin") throw new Error("the run did not begin");
    const last = whole.events.findIndex(({ type }) => type === "patch");
    for (const share of [0.2, 0.6, 0.9]) {
      let cut = Math.floor(last * share);
      while (!isCut(whole.events[cut - 1] ?? begun)) cut += 1;
      const past = whole.events
        .slice(0, cut)
        .map((event, seq): RecordedEvent => ({ ...event, run: begun.run, seq, at: seq }));
      const model = replyingBy(replies);
      const { parts, events } = await testEpisode(model, files, { issue, config });
      const resumed = { base: begun.base, rebuilt: true, saved: null, limits: {} };
      const end = await runEpisode({ ...parts, past, resumed, solve });
      expect(comparable(events)).toEqual(comparable(whole.events.slice(cut)));
      expect(Buffer.from(end.patch)).toEqual(Buffer.from(expected.patch));
      const paid = past.filter(({ type }) => type === "reply").length;
      const all = whole.events.filter(({ type }) => type === "reply").length;
      expect(model.requests).toHaveLength(all - paid);
    }
  });
});
