import { basename } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { RUN_LABEL } from "../../src/environments/docker-labels.ts";
import { reply as answer, fakeEngine } from "../environments/docker-api.ts";
import { changedImages } from "../environments/docker-images.ts";
import { IMAGE, works } from "../environments/docker-places.ts";
import { engineProxy } from "../environments/docker-proxy.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  readText,
  replayOf,
  runFolders,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const images = changedImages();
afterAll(images.remove);
const fixed = "+answer = 42\n";
const here = { DOCKER_HOST: process.env["DOCKER_HOST"] ?? "" };

/** A run on the world's repository in a container. */
function runIn(at: World, image: string, model: string, env: Readonly<Record<string, string>>) {
  const flags = ["--environment", "docker", "--image", image, "--repo", at.repo];
  return pmcoder(at, ["run", issue, "--model", model, ...flags], { env });
}

async function containersOf(run: string) {
  const { docker } = await connectEngine(process.env);
  const filters = { label: [`${RUN_LABEL}=${run}`] };
  const found = await docker.listContainers({ all: true, filters });
  return found.map(({ Id: id }) => docker.getContainer(id));
}

describe("pmcoder run copies nothing", () => {
  it("where no engine answers", async () => {
    const at = world();
    const env = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
    const { code, err } = await runIn(at, "debian:12", replayOf(at, fix), env);
    expect(code).toBe(5);
    expect(err).toContain("Expected a Docker engine at unix:///nowhere/docker.sock");
    expect(err).not.toContain("Copying");
    expect([runFolders(at), copiesOf(at)]).toEqual([[], []]);
  });

  it("for an image that is not to be had", async () => {
    const at = world();
    const engine = await fakeEngine((path, response) =>
      path.startsWith("POST /images/create")
        ? answer(response, 404, { message: "pull access denied for octo" })
        : false,
    );
    const { code, err } = await runIn(at, "octo", replayOf(at, fix), engine.env);
    await engine.close();
    expect(code).toBe(5);
    expect(err).toContain("The image octo:latest is not here and cannot be pulled");
    expect(err).not.toContain("Copying");
    expect([runFolders(at), copiesOf(at)]).toEqual([[], []]);
  });
});

describe.runIf(works)("pmcoder run in docker", { timeout: 120_000 }, () => {
  it("leaves a patch and no container; whole outputs go with it", async () => {
    const at = world();
    const { code, err } = await runIn(at, IMAGE, replayOf(at, fix, submit), here);
    expect([code, err]).toEqual([0, expect.stringContaining("docker at /testbed")]);
    const folder = onlyRun(at);
    expect(readText(folder, "patch.diff")).toContain(fixed);
    expect(namesIn(`${folder}/outputs`)).toEqual([]);
    expect(await containersOf(basename(folder))).toEqual([]);
    expect(copiesOf(at)).toEqual([]);
    expect(readText(at.repo, "answer.py")).toBe("answer = 41\n");
  });

  it("says when the image has no bash, and goes on in its sh, our own scripts too", async () => {
    const at = world();
    const image = await images.without(["bash"]);
    const more = "echo kept >'a b.txt'; printf 'x = (\\n' >broken.py; echo $0";
    const { code, err } = await runIn(at, image, replayOf(at, fix, more, submit), here);
    expect(code).toBe(0);
    const said = `The image ${image} has no bash: commands run in its sh`;
    expect(err).toContain(said);
    const folder = onlyRun(at);
    const events = await eventsOf(folder);
    expect(events[1]).toMatchObject({ type: "notice", text: expect.stringContaining(said) });
    expect(events.findLast(({ type }) => type === "integrity")).toMatchObject({
      corrupt: [{ file: "broken.py", line: 1 }],
    });
    expect(events.filter(({ type }) => type === "observation")[1]).toMatchObject({
      output: "sh\n",
    });
    expect(summaryIn(folder)).toMatchObject({
      patch: { files: ["a b.txt", "answer.py", "broken.py"], applies: true },
    });
  });

  it("ends at the first command after its container's death, and asks the model no more", async () => {
    const at = world();
    const server = await openaiServer();
    const turn = (command: string) =>
      reply({
        calls: [{ id: command, name: "bash", arguments: JSON.stringify({ command }) }],
        finish: "tool_calls",
      });
    server.answer(turn(fix), (response) => {
      const killing = containersOf(basename(onlyRun(at))).then(([one]) => one?.kill());
      void killing.then(() => turn("echo 2")(response));
    });
    const flags = ["--environment", "docker", "--image", IMAGE, "--base-url", `${server.url}/v1`];
    const { code, err } = await pmcoder(
      at,
      ["run", issue, "--model", "openai:loopback-1", "-c", "planner.on=false", ...flags],
      { env: here },
    );
    expect([code, err]).toEqual([5, expect.stringContaining("killed from outside with signal 9")]);
    expect(server.received).toHaveLength(2);
    await server.close();
    const folder = onlyRun(at);
    expect(summaryIn(folder)).toMatchObject({ exit_status: "environment_lost", steps: 2 });
    expect(readText(folder, "patch.diff")).toContain(fixed);
    const observations = (await eventsOf(folder)).filter(({ type }) => type === "observation");
    expect(observations).toHaveLength(1);
    expect(readText(folder, "trajectory.json")).toContain("echo 2");
  });

  it("never waits long for a removal that hangs, says so, and keeps the patch", async () => {
    const at = world();
    const proxy = await engineProxy();
    proxy.swallow("DELETE");
    const started = performance.now();
    const { code, err } = await runIn(at, IMAGE, replayOf(at, fix, submit), proxy.env);
    expect((performance.now() - started) / 1000).toBeLessThan(40);
    expect(code).toBe(0);
    expect(err).toMatch(/could not be removed: no answer within 15 s\. Remove it with: docker rm/);
    const folder = onlyRun(at);
    expect(readText(folder, "patch.diff")).toContain(fixed);
    const left = await containersOf(basename(folder));
    expect(left).toHaveLength(1);
    await Promise.all(left.map((one) => one.remove({ force: true })));
    await proxy.stop();
  });
});
