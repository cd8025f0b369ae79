import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { works } from "../environments/docker-places.ts";
import { removeContainers, type SmallImage, smallImage } from "../environments/small-image.ts";
import { startPmcoder, until } from "./run-process.ts";
import {
  eventsOf,
  fix,
  issue,
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

const env = { DOCKER_HOST: process.env["DOCKER_HOST"] ?? "" };

async function containersOf(run: string): Promise<number> {
  const { docker } = await connectEngine(process.env);
  return (await docker.listContainers({ filters: { label: [`pmcoder.run=${run}`] } })).length;
}

describe.runIf(works)("a run in docker that is interrupted within a command goes on", () => {
  let image: SmallImage;
  beforeAll(async () => {
    image = await smallImage(`pmcoder-resume-${process.pid}`);
  }, 120_000);
  afterAll(() => image.remove());

  /** A run that has repaired the file and stands in a command. */
  async function inCommand(at: World) {
    const look = "cat answer.py /var/tmp/mark; ls repro.py";
    const model = replayOf(
      at,
      `${fix}; touch repro.py`,
      "echo 1 > /var/tmp/mark; sleep 99",
      look,
      submit,
    );
    const args = ["run", issue, "--model", model, "--image", image.name, "--json"];
    const running = startPmcoder(at, args, { env });
    await until(() => running.out().includes('"command":"echo 1'), running);
    const folder = runFolders(at)[0] ?? "";
    return { ...running, folder, run: summaryIn(folder).run };
  }

  it.each([
    { name: "in the container that a killed process left", signal: "SIGKILL", lost: false },
    { name: "in another one, when that is gone", signal: "SIGKILL", lost: true },
    { name: "in another one after Ctrl-C, which removes it", signal: "SIGINT", lost: true },
  ] as const)("$name", { timeout: 90_000 }, async ({ signal, lost }) => {
    const at = world();
    const { child, ended, run, folder } = await inCommand(at);
    child.kill(signal);
    expect(await ended).toBe(signal === "SIGINT" ? 130 : "SIGKILL");
    if (signal === "SIGKILL" && lost) await removeContainers(`pmcoder.run=${run}`);
    expect(await containersOf(run)).toBe(lost ? 0 : 1);
    const before = await eventsOf(folder);
    expect((await pmcoder(at, ["resume", "last"], { env })).code).toBe(0);
    expect(await containersOf(run)).toBe(0);
    const events = await eventsOf(folder);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events).toContainEqual(expect.objectContaining({ type: "resume", rebuilt: lost }));
    expect(events.some(({ type }) => type === "remark")).toBe(lost);
    const seen = events.flatMap((event) => (event.type === "observation" ? [event.output] : []));
    expect(seen.at(-2)).toContain(lost ? "answer = 42\ncat: /var/tmp/mark" : "answer = 42\n1\n");
    expect(seen.at(-2)).toMatch(/^repro\.py$/m);
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
    expect(summaryIn(folder).patch?.files).toEqual(["answer.py"]);
  });
});
