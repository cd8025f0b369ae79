import { describe, expect, it } from "vitest";
import type { BriefRecord } from "../../src/domain/briefing.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { advanceAll, beginProgress, episodeView } from "../../src/viewer/episode-view.ts";
import { experienceHtml } from "../../src/viewer/experience-html.ts";
import { notesHtml } from "../../src/viewer/step-html.ts";
import {
  beginEvent,
  call,
  observed,
  promptEvent,
  reply,
} from "../trajectories/recorded-episode.ts";
import { recordingOf } from "./recordings.ts";

const layout = { prefix: "", cap: 1000, reasons: 0, advised: true, whole: null };
const brief: BriefRecord = {
  callId: "c1",
  phase: "explore",
  entry: 1,
  block: "[LTM]\nHow other issues were repaired:\n- keep <tzinfo>\n[/LTM]",
  recalled: [
    {
      id: "m1",
      source: "adarepair",
      stage: "loc",
      instanceId: "p__p-7",
      score: 0.75,
      tokens: 9,
    },
  ],
  waiting: [],
  denied: { same_instance: 2 },
};
const events: readonly EpisodeEvent[] = [
  beginEvent("20261130-142501-ab12"),
  promptEvent,
  reply(1, "", [call("c1", "cat area.py")]),
  { type: "command", step: 1, callId: "c1", command: "cat area.py" },
  observed(1, "c1", ""),
  { type: "experience", step: 1, ...brief },
  reply(2, "", [call("c2", "true")]),
];

describe("what was recalled from other issues", () => {
  it("stands below the step that it was shown with, and below no other", () => {
    const recording = recordingOf(events);
    const { steps } = episodeView(recording, advanceAll(recording));
    const pages = steps.map((step) => notesHtml(step, layout).text);
    expect(pages.map((page) => page.includes("From other issues"))).toEqual([true, false]);
    expect(pages[0]).toContain("- keep &lt;tzinfo&gt;");
  });

  it("is shown before plan and memory have got to the step", () => {
    const recording = recordingOf(events);
    const [step] = episodeView(recording, beginProgress(recording)).steps;
    expect(step?.insight).toBeNull();
    expect(step && notesHtml(step, layout).text).toContain("From other issues");
  });

  it("names source, stage, issue and score of each, and what was kept back", () => {
    const page = experienceHtml(brief, 1000).text;
    expect(page.slice(page.indexOf("<tbody>"))).toMatchInlineSnapshot(
      `"<tbody><tr><th scope="row" title="m1">p__p-7</th><td>adarepair</td><td>loc</td><td>.75</td><td>9</td></tr></tbody></table></div></details><ul><li>2 kept back: same instance</li></ul></div>"`,
    );
  });

  it("is nothing where nothing was said", () => {
    const silent = { ...brief, block: null, recalled: [], denied: {} };
    expect(experienceHtml(silent, 1000).text).toBe("");
  });
});
