import { expect, it } from "vitest";
import { killEpisodes } from "./kill-episodes.ts";
import { howMany } from "./sample.ts";

it("a run in local ends as if nobody had killed it", { timeout: 900_000 }, async () => {
  const kills = howMany(200, 12);
  const figures = await killEpisodes({
    place: "local",
    kills,
    killsEach: 5,
    inParallel: 2,
    flags: ["--environment", "local", "--yes"],
    resumeFlags: ["--yes"],
    env: {},
  });
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.kills).toBeGreaterThanOrEqual(kills);
  expect(figures).toMatchObject({ bytesLost: 0 });
  expect(figures.resumed).toBeGreaterThan(0);
});
