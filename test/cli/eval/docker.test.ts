import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectEngine } from "../../../src/environments/docker-engine.ts";
import { findImage, imageBytes, removeImage } from "../../../src/environments/docker-images.ts";
import { runOf } from "../../../src/environments/docker-labels.ts";
import { IMAGE, works } from "../../environments/docker-places.ts";
import { startPmcoder, until } from "../run-process.ts";
import { eventsOf, pmcoder, readText, sh, summaryIn, world } from "../run-world.ts";
import { putTrial, repair, resultLines } from "./world.ts";

const docker = { DOCKER_HOST: process.env["DOCKER_HOST"] ?? "" };
const more = {
  environment: "docker",
  settings: { environment: { image: IMAGE } },
  grading: { gold: false },
  workers: 2,
};

/** Runs that have a container, of those whose id begins so. */
async function containersOf(experiment: string): Promise<readonly string[]> {
  const engine = await connectEngine(process.env);
  const all = await engine.docker.listContainers({ all: true });
  return all.map(({ Labels: labels }) => runOf(labels)).filter((run) => run.startsWith(experiment));
}

describe.runIf(works)("an experiment in docker", () => {
  it("goes on in the containers that a killed process left, and leaves none", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const [fixed = "", ...rest] = repair;
    const turns = [fixed, "sleep 4", ...rest];
    const file = putTrial(at, { instances: ["a__a-1", "b__b-1", "c__c-1"], turns, more });
    const line = ["eval", "run", file, "--output", output];
    const first = startPmcoder(at, line, { env: docker });
    const running = () =>
      sh(at.folder, 'grep -l \'"exit_status": "running"\' out/*/*/*/summary.json || true')
        .split("\n")
        .filter((name) => name !== "");
    await until(() => running().length === 2, first);
    const job = join(at.folder, running()[0] ?? "", "..");
    while (!(await eventsOf(job)).some(({ type }) => type === "observation")) await pause();
    first.child.kill("SIGKILL");
    await first.ended;
    const { run } = summaryIn(job);
    expect(await containersOf(run.slice(0, "trial-00000000".length))).toContain(run);

    const { code, err } = await pmcoder(at, line, { env: docker });
    expect(code, err).toBe(0);
    const results = resultLines(output);
    expect(results.map(({ instance }) => instance)).toEqual(["a__a-1", "b__b-1", "c__c-1"]);
    const taken = results.find((result) => result.run === run);
    expect(taken).toMatchObject({ attempts: 2, rebuilt: false, steps: 4, environment: "docker" });
    for (const { image, patch } of results) {
      expect(image).toMatchObject({ name: IMAGE, id: expect.stringMatching(/^sha256:/) });
      expect(patch).toMatchObject({ files: ["answer.py"], applies: true });
    }
    const record = JSON.parse(readText(output, "environment.json"));
    expect(Object.keys(record.images)).toEqual([IMAGE]);
    expect(record.engine).toMatch(/^\d+\./);
    expect(await containersOf(run.slice(0, "trial-00000000".length))).toEqual([]);
  }, 120_000);

  it("is not begun where no engine answers", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const file = putTrial(at, { instances: ["a__a-1"], more });
    const none = { DOCKER_HOST: `unix://${at.folder}/none.sock` };
    const ran = await pmcoder(at, ["eval", "run", file, "--output", output], { env: none });
    expect(ran.code).toBe(5);
    expect(ran.err).toContain("Expected a Docker engine at");
    expect(resultLines(output)).toEqual([]);
  });

  it("has its images fetched ahead, as far as they may take room", async () => {
    const at = world();
    const file = putTrial(at, { instances: ["a__a-1", "b__b-1"], more });
    const fetching = ["eval", "fetch", "images", file, "--image-cache"];
    const { code, err } = await pmcoder(at, [...fetching, "1 TB"], { env: docker });
    expect({ code, err }).toEqual({ code: 0, err: `1/1  ${IMAGE}  was here\n` });
    const gone = { ...more, settings: { environment: { image: "127.0.0.1:1/gone:1" } } };
    putTrial(at, { instances: ["a__a-1"], more: gone });
    const missing = await pmcoder(at, [...fetching, "1 TB"], { env: docker });
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("The image 127.0.0.1:1/gone:1 is not here and cannot be pulled");
  });
});

describe.runIf(works)("images of an engine", () => {
  it("are found with what they are, and one that no registry gives again is never removed", async () => {
    const engine = await connectEngine(process.env);
    const image = engine.docker.getImage(IMAGE);
    await image.tag({ repo: "pmcoder-eval-kept", tag: "1" });
    try {
      const found = await findImage(engine, "pmcoder-eval-kept:1");
      expect(found).toMatchObject({ id: expect.stringMatching(/^sha256:/), digest: null });
      expect(await findImage(engine, "pmcoder-eval-kept:2")).toBeNull();
      expect(await removeImage(engine, "pmcoder-eval-kept:1")).toBe(false);
      expect(await removeImage(engine, "pmcoder-eval-kept:2")).toBe(false);
      expect(await findImage(engine, "pmcoder-eval-kept:1")).toEqual(found);
      expect(await imageBytes(engine)).toBeGreaterThan(1e7);
    } finally {
      await engine.docker.getImage("pmcoder-eval-kept:1").remove();
    }
  });
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
