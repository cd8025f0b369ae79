import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { advanceAll, type EpisodeView, episodeView } from "../../src/viewer/episode-view.ts";
import { exportedEpisode } from "../../src/viewer/export.ts";
import { foreignRecording } from "../../src/viewer/foreign-recording.ts";
import { capable } from "../capabilities.ts";
import { assets } from "./browser.ts";
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
    const moment = (kind: string) => view?.moments.filter((one) => one.kind === kind) ?? [];
    expect(moment("edit")).toMatchObject([
      { step: 10, detail: "sympy/combinatorics/homomorphisms.py" },
    ]);
    const trouble = [...moment("stuck"), ...moment("near"), ...moment("back")];
    expect(trouble.length).toBeGreaterThan(0);
    for (const back of moment("back")) {
      expect(back.recalled.map(({ label }) => label)).not.toEqual([]);
    }
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
