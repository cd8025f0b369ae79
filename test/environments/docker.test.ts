import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { textOf } from "../contracts/command.ts";
import { environmentContract } from "../contracts/environment.ts";
import { dockerPlaces, works } from "./docker-places.ts";

const places = dockerPlaces(`docker-${process.pid}`);
const contract = dockerPlaces(`docker-contract-${process.pid}`);
let scratch: string;
const limit = { timeoutSec: 20 };
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "pmcoder-docker-"));
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await places.remove();
});

/** Opens one, runs one command in it, and closes it. */
async function outputOf(command: string, ...options: Parameters<typeof places.open>) {
  const environment = await places.open(...options);
  try {
    return textOf(await environment.execute(command, limit));
  } finally {
    await environment.close();
  }
}

describe.runIf(works)("in docker", () => {
  environmentContract("docker", contract.factory);

  it("commands start in the image's repository, and the container goes at close", async () => {
    const environment = await places.open({ workdir: undefined });
    expect(environment.workdir).toBe("/testbed");
    expect(textOf(await environment.execute("ls; git log --format=%s", limit))).toBe(
      "sympy\nsympy as Debian packages it\n",
    );
    expect(await places.containers()).toHaveLength(1);
    await environment.close();
    expect(await places.containers()).toEqual([]);
  });

  it("a repository of this machine is laid at the working folder, links and modes kept", async () => {
    const repository = join(scratch, "it's a repository");
    mkdirSync(join(repository, "bin"), { recursive: true });
    writeFileSync(join(repository, "bin", "run"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
    symlinkSync("bin/run", join(repository, "link"));
    writeFileSync(join(repository, ".hidden"), "hidden\n");
    const script = "cat .hidden; ./link; echo changed >.hidden; cat .hidden";
    expect(await outputOf(script, { repository })).toBe("hidden\nran\nchanged\n");
  });

  it("a repository laid over the image's takes the place of its history alone", async () => {
    const repository = join(scratch, "other");
    mkdirSync(join(repository, ".git"), { recursive: true });
    writeFileSync(join(repository, ".git", "only"), "");
    const options = { repository, workdir: undefined };
    expect(await outputOf("ls .git; ls", options)).toBe("only\nsympy\n");
  });

  it("a repository that is not there is refused, and no container is left", async () => {
    const opening = places.open({ repository: join(scratch, "absent") });
    await expect(opening).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("absent"),
    });
    expect(await places.containers()).toEqual([]);
  });

  it("there is no network unless it is on", async () => {
    const interfaces = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '";
    expect(await outputOf(interfaces)).toBe("lo\n");
    const environment = await places.open(places.place({ network: "on" }));
    const { docker } = await connectEngine(process.env);
    const [id = ""] = await places.containers();
    const { HostConfig: host } = await docker.getContainer(id).inspect();
    expect(host.NetworkMode).toMatch(/^(?:default|bridge)$/);
    await environment.close();
  });

  it("memory, processes and processor time have their limits, and process 1 reaps", async () => {
    const place = places.place({ memoryBytes: 64 * 1024 ** 2, processes: 40, cpus: 0.5 });
    const environment = await places.open(place);
    const { docker } = await connectEngine(process.env);
    const [id = ""] = await places.containers();
    const { HostConfig: host } = await docker.getContainer(id).inspect();
    expect(host).toMatchObject({ Memory: 67_108_864, PidsLimit: 40, CpuQuota: 50_000, Init: true });
    const greedy = "python3 -c 'x = bytearray(200_000_000)'; echo $?";
    expect(textOf(await environment.execute(greedy, limit))).toContain("137\n");
    const many = "for i in $(seq 60); do sleep 5 & done 2>&1 | grep -c fork";
    expect(textOf(await environment.execute(`{ ${many}; } 2>&1; true`, limit))).not.toBe("0\n");
    await environment.close();
  });

  it("BASH_ENV is the image's .bashrc for commands, and theirs where it is configured", async () => {
    const env = { BASH_ENV: "/etc/hostname-not" };
    expect(await outputOf('echo "$BASH_ENV"')).toBe("/root/.bashrc\n");
    expect(await outputOf('echo "$BASH_ENV"', places.place({ env }))).toBe("/etc/hostname-not\n");
  });

  it("a command that only speaks of a dead container is an ordinary result", async () => {
    const environment = await places.open();
    const said = "Error: No such container: x";
    const result = await environment.execute(`echo '${said}' >&2; exit 1`, limit);
    expect([result.exitCode, textOf(result)]).toEqual([1, `${said}\n`]);
    expect((await environment.execute("true", limit)).exitCode).toBe(0);
    await environment.close();
  });

  it("a command that computes without end is ended inside, and one that reads has no input", async () => {
    const environment = await places.open();
    const busy = await environment.execute('python3 -c "while True: pass"', { timeoutSec: 2 });
    expect([busy.exitCode, busy.timedOut]).toEqual([124, true]);
    expect(busy.seconds).toBeLessThan(4);
    const left = await environment.execute("ps -eo args | grep -c '[w]hile True'", limit);
    expect(textOf(left)).toBe("0\n");
    const reading = await environment.execute("cat", limit);
    expect([reading.exitCode, textOf(reading)]).toEqual([0, ""]);
    await environment.close();
  });

  it("files of 30 MB of any bytes are read whole", async () => {
    const environment = await places.open();
    await environment.execute("head -c 30000000 /dev/urandom >f; sha256sum <f >sum", limit);
    const bytes = await environment.read("f");
    const sum = Buffer.from(await environment.read("sum")).toString();
    expect(sum).toBe(`${createHash("sha256").update(bytes).digest("hex")}  -\n`);
    await environment.close();
  });
});
