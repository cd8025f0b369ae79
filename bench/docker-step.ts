import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { openDocker } from "../src/environments/docker.ts";
import { benchEpisode, type Open } from "./bench-episode.ts";
import { image, lackingImage } from "./docker-image.ts";
import { against, type Benchmark } from "./figure.ts";

const run = promisify(execFile);
const steps = 200;
const rounds = 3;
/** Why it cannot be measured here, or null. */
async function lacking(python: string | undefined): Promise<string | null> {
  if (!python || !existsSync(python)) return "PMCODER_PEERS names no venv with mini-swe-agent";
  return lackingImage();
}

/**
 * Harness time a step for `true` in a container, ours and mini-swe-agent's own loop in turn, the
 * model scripted; and the time from nothing to the end of the first command.
 */
export const dockerStep: Benchmark = async () => {
  const peers = process.env["PMCODER_PEERS"];
  const python = peers && join(peers, "bin", "python");
  const skipped = await lacking(python);
  if (skipped !== null || !python) return [{ figure: "docker_step", skipped: skipped ?? "" }];
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const ours = { step: [] as number[], first: [] as number[] };
  const theirs = { step: [] as number[], first: [] as number[] };
  const open: Open = async (_copy, _folder, config) => {
    const started = performance.now();
    const options = { image, run: "bench", repository: null, config, env: process.env };
    const environment = await openDocker(options);
    await environment.execute("true", { timeoutSec: 60 });
    ours.first.push((performance.now() - started) / 1000);
    return environment;
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      ours.step.push((await benchEpisode(Array(steps).fill("true"), open)).secondsPerStep);
      const script = resolve("bench/peers/mini_docker.py");
      const trajectory = join(folder, `${round}.traj.json`);
      const args = [script, String(steps), trajectory, image];
      const { stdout } = await run(python, args, { cwd: folder });
      const [step, first] = stdout.trim().split("\n").slice(-2).map(Number);
      theirs.step.push(step ?? Number.NaN);
      theirs.first.push(first ?? Number.NaN);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const name = "mini-swe-agent 2.4.6";
  return [
    against("docker_step", "s", ours.step, { name, values: theirs.step }, 0.1),
    against("docker_first_command", "s", ours.first, { name, values: theirs.first }, 1),
  ];
};
