import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lackingImage } from "./docker-image.ts";
import type { Benchmark } from "./figure.ts";

/** Our choice: 2 MiB each is nothing beside what a container itself takes. */
const mostMiB = 100;

/** Memory of one process that has 50 containers at once. */
export const dockerContainers: Benchmark = async () => {
  const figure = "docker_50_containers_memory";
  const skipped = await lackingImage();
  if (skipped !== null) return [{ figure, skipped }];
  const program = fileURLToPath(new URL("fifty-containers.ts", import.meta.url));
  const args = ["--expose-gc", "--import", "tsx", program];
  const value = Number((await promisify(execFile)(process.execPath, args)).stdout);
  const goal = `<= ${mostMiB} MiB`;
  const judged = { peer: null, ratio: null, goal, met: value <= mostMiB };
  return [{ figure, value, unit: "MiB", n: 50, ...judged }];
};
