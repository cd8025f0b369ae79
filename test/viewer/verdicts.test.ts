import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import type { Verdict } from "../../src/domain/plan.ts";
import { advanceAll, episodeView } from "../../src/viewer/episode-view.ts";
import { bandHtml } from "../../src/viewer/phase-band.ts";
import { marksHtml, notesHtml } from "../../src/viewer/step-html.ts";
import {
  beginEvent,
  call,
  observed,
  promptEvent,
  reply,
} from "../trajectories/recorded-episode.ts";
import { recordingOf } from "./recordings.ts";

const run = "20261130-142501-ab12";
const layout = { prefix: "", cap: 1000, reasons: 0, advised: true, whole: null };

/** A turn that edits, and what grounding found of the tree after it. */
function edit(step: number, verdict: Verdict, corrupt: boolean): readonly EpisodeEvent[] {
  const callId = `c${step}`;
  const command = `sed -i s/${step}/0/ area.py`;
  const broken = { file: "area.py", line: 3, message: "invalid <syntax>" };
  return [
    reply(step, "", [call(callId, command)]),
    { type: "command", step, callId, command },
    observed(step, callId, ""),
    {
      type: "integrity",
      step,
      callId,
      checked: ["area.py"],
      corrupt: corrupt ? [broken] : [],
      note: null,
    },
    {
      type: "verdict",
      step,
      callId,
      verdict,
      signature: corrupt ? null : `tree-${step}`,
      cached: step === 3,
      exitCode: verdict === "pass" ? 0 : 1,
      seconds: 1.5,
      tail: "",
      note: null,
    },
  ];
}

const recording = recordingOf([
  beginEvent(run),
  promptEvent,
  ...edit(1, "undefined", true),
  ...edit(2, "fail", false),
  ...edit(3, "pass", false),
  { type: "end", status: "submitted", reason: "submitted at step 3", seconds: 9 },
]);
const view = episodeView(recording, advanceAll(recording));

describe("verdicts and files that do not parse", () => {
  it("stand at their step", () => {
    const chips = view.steps.map((step) =>
      [...marksHtml(step, layout).text.matchAll(/class="chip (\w+)">([^<]+)/g)].map(
        ([, kind, text]) => `${kind}: ${text}`,
      ),
    );
    expect(chips).toEqual([
      ["fail: does not parse"],
      ["fail: reproduction fails"],
      ["pass: reproduction passes"],
    ]);
    const notes = view.steps.map((step) => notesHtml(step, layout).text);
    expect(notes[0]).toContain("area.py:3 does not parse: invalid &lt;syntax&gt;");
    expect(notes[1]).toContain("reproduction fails (ran 1.5 s)");
    expect(notes[2]).toContain("reproduction passes (known from this tree)");
  });

  it("have lanes of their own in the band", () => {
    const { text } = bandHtml(view, "");
    expect(text).toMatch(/<rect class="fail" x="1" y="\d+" width="1"/);
    expect(text).toMatch(/<rect class="pass" x="2" y="\d+" width="1"/);
  });

  it("are among the key moments, and reach the plan", () => {
    const moments = view.moments.filter(({ kind }) => kind === "verdict");
    expect(moments.map(({ step, title }) => [step, title])).toEqual([
      [2, "The reproduction fails"],
      [3, "The reproduction passes"],
    ]);
    expect(view.steps.map(({ insight }) => insight?.verdict)).toEqual([
      "undefined",
      "fail",
      "pass",
    ]);
  });
});
