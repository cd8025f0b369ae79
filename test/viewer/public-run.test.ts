import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { advanceAll, type EpisodeView, episodeView } from "../../src/viewer/episode-view.ts";
import { exportedEpisode } from "../../src/viewer/export.ts";
import { foreignRecording } from "../../src/viewer/foreign-recording.ts";
import { capable } from "../capabilities.ts";
import { assets } from "./chromium.ts";
import { fullConfig } from "./recordings.ts";

const data = process.env["PMCODER_DATA"];
const folder = join(data ?? "", "trajectories");
const hasData = capable("data", () => data !== undefined && existsSync(folder));

function viewsOf(file: string): readonly EpisodeView[] {
  const text = gunzipSync(readFileSync(join(folder, file))).toString("utf8");
  return readTrajectories(text, file).map((episode) => {
    const recording = foreignRecording(episode, fullConfig);
    return episodeView(recording, advanceAll(recording));
  });
}

describe.runIf(hasData)("a public run", () => {
  it("tells when it first edited, whether it got stuck, and what was recalled then", () => {
    const [view] = viewsOf("mini-swe-agent-v1/sympy__sympy-24443.traj.json.gz");
    const turns = view?.moments.filter(({ kind }) => kind !== "test" && kind !== "submit") ?? [];
    const said = turns.map(({ step, title, detail }) => `${step} ${title}: ${detail}`);
    expect(said).toEqual([
      "5 Back from hypothesize to explore: because the step looks",
      "10 First edit of source: sympy/combinatorics/homomorphisms.py",
      "18 Back from verify to implement: because the step edits source",
      "34 Back from verify to hypothesize: because the step puts a probe in",
      "47 Never stuck: nearest: 5 of 6 edits of one file",
    ]);
    for (const { step, recalled } of turns) {
      expect(recalled.length).toBeGreaterThan(0);
      expect(recalled.every(({ turn }) => turn < step)).toBe(true);
    }
    const page = view === undefined ? "" : exportedEpisode(view, assets);
    expect(page.match(/<span class="quiet recalled">recalled /g)).toHaveLength(turns.length);
  });

  it.each(["swe-agent", "openhands"])(
    "of %s becomes a page, whatever is in it",
    { timeout: 120_000 },
    (format) => {
      const views = readdirSync(join(folder, format)).flatMap((file) =>
        viewsOf(join(format, file)),
      );
      expect(views.length).toBeGreaterThan(2);
      for (const view of views) {
        const page = exportedEpisode(view, assets);
        expect(page.match(/<article/g)?.length ?? 0).toBe(view.steps.length);
        expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
      }
    },
  );
});
