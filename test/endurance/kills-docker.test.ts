import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTurn } from "../../src/agent/open-turn.ts";
import { works } from "../environments/docker-places.ts";
import { removeContainers, type SmallImage, smallImage } from "../environments/small-image.ts";
import { killEpisodes } from "./kill-episodes.ts";
import type { Setting } from "./killed-run.ts";
import { howMany } from "./sample.ts";

/**
 * In one case of three the container goes too. Not while the newest command's changes are still
 * to be saved: then they are lost with it, and the model is told.
 */
const losing =
  (random: Setting["random"]): NonNullable<Setting["afterKill"]> =>
  async (events, run) => {
    const isSaved = (openTurn(events)?.unfinishedAt ?? null) === null;
    if (random(3) === 0 && isSaved) await removeContainers(`pmcoder.run=${run}`);
  };

describe.runIf(works)("a run in docker", () => {
  let image: SmallImage;
  beforeAll(async () => {
    image = await smallImage(`pmcoder-kills-${process.pid}`);
  }, 120_000);
  afterAll(() => image.remove());

  it("ends as if nobody had killed it", { timeout: 900_000 }, async () => {
    const kills = howMany(30, 4);
    const figures = await killEpisodes({
      place: "docker",
      kills,
      killsEach: 4,
      inParallel: 2,
      flags: ["--image", image.name, "-c", "environment.env.LOG=/var/tmp/log"],
      resumeFlags: [],
      env: { DOCKER_HOST: process.env["DOCKER_HOST"] },
      afterKill: losing,
      clean: async (pids) => {
        for (const pid of pids) await removeContainers(`pmcoder.owner=${pid}`);
      },
    });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.kills).toBeGreaterThanOrEqual(kills);
    expect(figures).toMatchObject({ bytesLost: 0 });
    expect(figures.resumed).toBeGreaterThan(0);
  });
});
