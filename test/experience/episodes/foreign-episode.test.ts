import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { foreignEpisode } from "../../../src/experience/episodes/foreign-episode.ts";
import { stageMemories } from "../../../src/experience/episodes/learn-stages.ts";
import type { ForeignEpisode } from "../../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../../src/trajectories/read-trajectories.ts";
import { issue } from "../repair-memories.ts";

const fixtures = "test/fixtures/trajectories";
const from = issue("area-7", { issue: "area() is wrong" });
const past = (episode: ForeignEpisode, resolved: boolean | null = null) =>
  foreignEpisode(episode, { from, source: "x.traj.json", resolved });

const episodesOf = (name: string) =>
  readTrajectories(readFileSync(`${fixtures}/${name}`, "utf8"), name);

/** An episode of one command, which handed this in. */
const handedIn = (submission: string | null): ForeignEpisode => ({
  format: "mini-swe-agent-1",
  instanceId: "area-7",
  task: "area() is wrong",
  model: null,
  workdir: null,
  exitStatus: null,
  submission,
  turns: [],
  cut: false,
});

describe("foreignEpisode", () => {
  it.each([
    "mini-v1.traj.json",
    "mini-v2.traj.json",
    "shapes__area-7.traj",
    "openhands.jsonl",
    "openhands-rows.json",
    "openhands-sdk.json",
  ])("reads what was run in %s", (name) => {
    for (const episode of episodesOf(name)) {
      const { steps, root } = past(episode);
      expect(steps.length).toBeGreaterThan(0);
      expect(root).toMatch(/^\//);
      expect(steps.every(({ index }, at) => index >= (steps[at - 1]?.index ?? 0))).toBe(true);
      expect(stageMemories(past(episode)).every((one) => one.from === from)).toBe(true);
    }
  });

  it.each([
    ["a diff", "diff --git a/x b/x\n+1\n", "diff --git a/x b/x\n+1\n"],
    ["a diff behind words", "Done.\ndiff --git a/x b/x\n+1", "diff --git a/x b/x\n+1\n"],
    ["a plain diff", "--- a/x\n+++ b/x\n", "--- a/x\n+++ b/x\n"],
    ["words", "I fixed it.", ""],
    ["nothing", null, ""],
  ])("takes the patch from %s", (_, submission, patch) => {
    expect(past(handedIn(submission)).patch).toBe(patch);
  });

  it("believes what is known of its end before its own checks", () => {
    const [episode] = episodesOf("mini-v1.traj.json");
    if (episode === undefined) throw new Error("the fixture is empty");
    expect(past(episode, false).resolved).toBe(false);
    expect(past(episode, true).resolved).toBe(true);
    expect(past(handedIn("diff --git a/x b/x\n")).resolved).toBe(false);
  });

  it("leaves out what its harness refused", () => {
    const [episode] = episodesOf("mini-v1.traj.json");
    const refused = episode?.turns.filter(({ rejected }) => rejected) ?? [];
    expect(refused.length).toBeGreaterThan(0);
    const indices = new Set(episode && past(episode).steps.map(({ index }) => index));
    for (const { index } of refused) expect(indices.has(index)).toBe(false);
  });
});
