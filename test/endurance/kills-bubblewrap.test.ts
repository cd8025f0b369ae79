import { describe, expect, it } from "vitest";
import { hasBubblewrap } from "../cli/run-process.ts";
import { killEpisodes } from "./kill-episodes.ts";
import { howMany } from "./sample.ts";

describe.runIf(hasBubblewrap)("a run in bubblewrap", () => {
  it("ends as if nobody had killed it", { timeout: 900_000 }, async () => {
    const kills = howMany(20, 4);
    const figures = await killEpisodes({
      place: "bubblewrap",
      kills,
      killsEach: 4,
      inParallel: 2,
      flags: ["--environment", "bubblewrap", "-c", "environment.env.LOG=/tmp/log"],
      resumeFlags: [],
      env: {},
    });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.kills).toBeGreaterThanOrEqual(kills);
    expect(figures).toMatchObject({ bytesLost: 0 });
    expect(figures.resumed).toBeGreaterThan(0);
  });
});
