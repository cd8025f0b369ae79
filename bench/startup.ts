import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { against, type Benchmark } from "./figure.ts";

const run = promisify(execFile);
const main = "dist/src/cli/main.js";
const pairs = 21;

async function secondsOf(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await run(process.execPath, args);
  return (performance.now() - startedAt) / 1000;
}

/** `pmcoder --version` as a whole process beside `node -e 0`, in pairs. */
export const startup: Benchmark = async () => {
  if (!existsSync(main)) return [{ figure: "startup", skipped: "run `npm run build` first" }];
  const ours: number[] = [];
  const bare: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    ours.push(await secondsOf([main, "--version"]));
    bare.push(await secondsOf(["-e", "0"]));
  }
  return [against("startup", "s", ours, { name: "node -e 0", values: bare }, 2)];
};
