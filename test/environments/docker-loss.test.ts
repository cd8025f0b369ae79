import { afterAll, afterEach, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { dockerPlaces, works } from "./docker-places.ts";
import { engineProxy } from "./docker-proxy.ts";

const places = dockerPlaces(`docker-loss-${process.pid}`);
const limit = { timeoutSec: 20 };
afterAll(places.remove);

async function container() {
  const { docker } = await connectEngine(process.env);
  const [id = ""] = await places.containers();
  return docker.getContainer(id);
}

describe.runIf(works)("a docker environment is lost, with the reason, when", () => {
  afterEach(async () => {
    expect(await places.containers()).toEqual([]);
  });

  it("its container is killed while a command runs", async () => {
    const environment = await places.open();
    const running = environment.execute("sleep 15", limit);
    await (await container()).kill();
    await expect(running).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining("status 137, killed from outside with signal 9"),
    });
    await expect(environment.execute("true", limit)).rejects.toMatchObject({
      code: "environment_lost",
    });
    await environment.close();
  });

  it("its container ends between two commands", async () => {
    const environment = await places.open(places.place({ containerLifeSec: 3 }));
    await environment.execute("true", limit);
    await expect.poll(() => places.containers(), { timeout: 9000, interval: 200 }).toEqual([]);
    const late = environment.execute("echo 2", limit);
    await expect(late).rejects.toThrow("the container ended with status 0");
    await expect(environment.read("/etc/passwd")).rejects.toMatchObject({
      code: "environment_lost",
    });
    await environment.close();
  });

  it("a command has killed the shells that serve it", async () => {
    const environment = await places.open();
    const kill = "pkill -9 -x bash -P 0; kill -9 $PPID; pkill -9 -f 'bash -p'; sleep 1";
    await environment.execute(kill, limit).catch(() => undefined);
    const late = environment.execute("true", limit);
    await expect(late).rejects.toThrow(/its shell in the container ended with status [0-9]+/);
    await environment.close();
  });

  it("the stream is cut in the middle of a frame", async () => {
    const proxy = await engineProxy();
    const environment = await places.open({ env: proxy.env });
    proxy.cutAfter(11);
    const call = environment.execute("true", limit);
    await expect(call).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining("the stream was cut in the middle of a frame"),
    });
    await environment.close();
    await proxy.stop();
  });

  it("the engine stops, of which the container's removal is not a second failure", async () => {
    const proxy = await engineProxy();
    const lines: string[] = [];
    const onProgress = (line: string) => lines.push(line);
    const environment = await places.open({ env: proxy.env, onProgress });
    const running = environment.execute("sleep 15", limit);
    await Promise.all([
      expect(running).rejects.toThrow(/the Docker engine at unix:.* does not answer any more/),
      proxy.stop(),
    ]);
    await environment.close();
    expect(lines).toEqual([expect.stringMatching(/could not be removed: .*docker rm -f pmcoder-/)]);
    for (const id of await places.containers()) {
      const { docker } = await connectEngine(process.env);
      await docker.getContainer(id).remove({ force: true });
    }
  });

  it("its container is frozen, once a command is long overdue", { timeout: 120_000 }, async () => {
    const environment = await places.open();
    const call = environment.execute("sleep 0.5", { timeoutSec: 1 });
    await (await container()).pause();
    await expect(call).rejects.toThrow("it has not answered within 31 s");
    await environment.close();
  });
});
