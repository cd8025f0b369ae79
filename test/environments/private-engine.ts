import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { capable } from "../capabilities.ts";

/** Whether a test can have an engine of its own here, to stop it. */
export const hasDockerd = capable("dockerd", () => {
  try {
    execFileSync("dockerd", ["--version"], { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
});

const START_MS = 60_000;

/** A Docker engine that nobody else uses, with what it stores in a temporary folder. */
export class PrivateEngine {
  readonly env: Readonly<Record<string, string>>;
  readonly #folder = join(tmpdir(), `pmcoder-dockerd-${process.pid}`);
  #process: ChildProcess | undefined;

  constructor() {
    this.env = { DOCKER_HOST: `unix://${this.#folder}/docker.sock` };
  }

  /** Rejects, with the engine's own log, when it does not answer within a minute. */
  async start(): Promise<void> {
    const program = fileURLToPath(new URL("../../.ci/docker-engine", import.meta.url));
    mkdirSync(this.#folder, { recursive: true });
    const log = join(this.#folder, "log");
    const output = openSync(log, "w");
    this.#process = spawn(program, [this.#folder], { stdio: ["ignore", output, output] });
    const limit = performance.now() + START_MS;
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null || performance.now() > limit) {
        throw new Error(`The engine did not start: ${readFileSync(log, "utf8")}`);
      }
      await wait(100);
    }
  }

  /** SIGTERM stops it in order, its containers first; SIGKILL as a crash does, and they live on. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (!this.#process) return;
    const ended = once(this.#process, "exit");
    this.#process.kill(signal);
    await ended;
    this.#process = undefined;
    // The kernel kills containerd too. Until process 1 has reaped it, a new engine would wait for it.
    rmSync(join(this.#folder, "exec", "containerd", "containerd.pid"), { force: true });
  }

  async remove(): Promise<void> {
    await this.stop("SIGTERM");
    // What an engine mounted before a crash, the next one leaves mounted.
    spawnSync("umount", [join(this.#folder, "data")]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    return connectEngine(this.env).then(
      () => true,
      () => false,
    );
  }
}

/** Gives an engine the image that another one has. */
export async function copyImage(name: string, to: PrivateEngine): Promise<void> {
  const from = await connectEngine(process.env);
  const { docker } = await connectEngine(to.env);
  const loading = await docker.loadImage(await from.docker.getImage(name).get());
  loading.resume();
  await once(loading, "end");
}
