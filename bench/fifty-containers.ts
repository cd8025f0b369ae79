/**
 * What a process grows by, in MiB resident, while 50 containers stand at once, each after its first
 * command: `node --expose-gc --import tsx bench/fifty-containers.ts`.
 */
import PQueue from "p-queue";
import { EnvironmentConfig } from "../src/domain/config/environment.ts";
import type { Environment } from "../src/domain/environment.ts";
import { openDocker } from "../src/environments/docker.ts";
import { image } from "./docker-image.ts";

const config = EnvironmentConfig.parse({});

async function openOne(): Promise<Environment> {
  const options = { image, run: "bench", repository: null, config, env: process.env };
  const environment = await openDocker(options);
  await environment.execute("true", { timeoutSec: 60 });
  return environment;
}

function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1024 ** 2;
}

// What is loaded and allocated for the first one is not counted.
await (await openOne()).close();
const before = residentMiB();
const queue = new PQueue({ concurrency: 4 });
const open = await queue.addAll(Array<typeof openOne>(50).fill(openOne));
const grown = residentMiB() - before;
await Promise.all(open.map((environment) => environment.close()));
process.stdout.write(`${grown}\n`);
