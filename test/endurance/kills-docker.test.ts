import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTurn } from "../../src/agent/open-turn.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { IMAGE, works } from "../environments/docker-places.ts";
import { killEpisodes } from "./kill-episodes.ts";
import type { Setting } from "./killed-run.ts";
import { howMany } from "./sample.ts";

/** The image of the tests without the large repository that it holds. */
const image = `pmcoder-kills-${process.pid}:latest`;

const engine = async () => (await connectEngine(process.env)).docker;

async function makeImage(): Promise<void> {
  const docker = await engine();
  const Cmd = ["sh", "-c", "rm -rf /testbed && mkdir /testbed"];
  const container = await docker.createContainer({ Image: IMAGE, Cmd });
  await container.start();
  await container.wait();
  const [repo = "", tag = ""] = image.split(":");
  await container.commit({ repo, tag });
  await container.remove({ force: true });
}

async function removeWhere(label: readonly string[]): Promise<void> {
  const docker = await engine();
  const found = await docker.listContainers({ all: true, filters: { label: [...label] } });
  await Promise.all(
    found.map(({ Id: id }) =>
      docker
        .getContainer(id)
        .remove({ force: true })
        .catch(() => {}),
    ),
  );
}

/**
 * In one case of three the container goes too. Not while the newest command's changes are still
 * to be saved: then they are lost with it, and the model is told.
 */
const losing =
  (random: Setting["random"]): NonNullable<Setting["afterKill"]> =>
  async (events, run) => {
    const isSaved = (openTurn(events)?.unfinishedAt ?? null) === null;
    if (random(3) === 0 && isSaved) await removeWhere([`pmcoder.run=${run}`]);
  };

describe.runIf(works)("a run in docker", () => {
  beforeAll(makeImage, 120_000);
  afterAll(async () => {
    await (await engine()).getImage(image).remove();
  });

  it("ends as if nobody had killed it", { timeout: 900_000 }, async () => {
    const kills = howMany(30, 4);
    const figures = await killEpisodes({
      place: "docker",
      kills,
      killsEach: 4,
      inParallel: 3,
      flags: ["--image", image, "-c", "environment.env.LOG=/var/tmp/log"],
      resumeFlags: [],
      env: { DOCKER_HOST: process.env["DOCKER_HOST"] },
      afterKill: losing,
      clean: async (pids) => {
        for (const pid of pids) await removeWhere([`pmcoder.owner=${pid}`]);
      },
    });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.kills).toBeGreaterThanOrEqual(kills);
  });
});
