import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ForeignEpisode } from "../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { capable } from "../capabilities.ts";

const data = process.env["PMCODER_DATA"] ?? "";

interface Row {
  readonly file: string;
  readonly instance_id: string;
  readonly model: string | null;
  readonly steps: number;
  readonly exit_status: string | null;
}

function episodesOf(file: string): readonly ForeignEpisode[] {
  const bytes = readFileSync(join(data, "trajectories", file));
  return readTrajectories(gunzipSync(bytes).toString("utf8"), file);
}

describe.runIf(capable("data", () => data !== ""))("public runs", () => {
  const rows = () =>
    JSON.parse(readFileSync(join(data, "trajectories", "index.json"), "utf8")) as readonly Row[];

  it("of mini-swe-agent are read as their index describes them", () => {
    const told = rows().filter(({ file }) => file.startsWith("mini-swe-agent-v1/"));
    expect(told).toHaveLength(140);
    const turns = told.flatMap((row) => {
      const { file, instance_id: instanceId, model, steps, exit_status: exitStatus } = row;
      const [episode] = episodesOf(file);
      expect(episode).toMatchObject({ format: "mini-swe-agent-1", instanceId, model, exitStatus });
      expect(episode).toMatchObject({ workdir: "/testbed", cut: false });
      expect(episode?.turns).toHaveLength(steps);
      return episode?.turns ?? [];
    });
    const results = turns.flatMap(({ calls }) => calls.flatMap(({ result }) => result ?? []));
    expect({
      turns: turns.length,
      rejected: turns.filter(({ rejected }) => rejected).length,
      results: results.length,
      timedOut: results.filter(({ timedOut }) => timedOut).length,
      withoutCode: results.filter(({ exitCode }) => exitCode === null).length,
    }).toEqual({ turns: 5784, rejected: 203, results: 5581, timedOut: 9, withoutCode: 140 });
  });

  it("of SWE-agent and OpenHands are read, each with its instance and as many turns", () => {
    const others = rows().filter(({ file }) => !file.startsWith("mini-swe-agent-v1/"));
    const files = new Set(others.map(({ file }) => file));
    const episodes = [...files].flatMap((file) =>
      episodesOf(file).map((episode) => ({ file, episode })),
    );
    expect(episodes).toHaveLength(others.length);
    for (const { file, episode } of episodes) {
      const row = others.find(
        (other) => other.file === file && episode.instanceId?.endsWith(other.instance_id),
      );
      expect(row, `${file} ${episode.instanceId}`).toBeDefined();
      if (row && row.steps > 0) expect(episode.turns).toHaveLength(row.steps);
      expect(episode.turns.length).toBeGreaterThan(0);
      expect(episode.task.length).toBeGreaterThan(20);
    }
  });
});
