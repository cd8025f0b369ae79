import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { benchEpisode } from "./bench-episode.ts";
import { against, type Benchmark } from "./figure.ts";

const run = promisify(execFile);
const steps = 200;
const rounds = 5;

/** Harness time a step for `true`, ours and mini-swe-agent's own loop in turn, the model scripted. */
export const localStep: Benchmark = async () => {
  const peers = process.env["PMCODER_PEERS"];
  const python = peers && join(peers, "bin", "python");
  if (!python || !existsSync(python)) {
    return [{ figure: "local_step", skipped: "PMCODER_PEERS names no venv with mini-swe-agent" }];
  }
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      ours.push((await benchEpisode(Array(steps).fill("true"))).secondsPerStep);
      const script = resolve("bench/peers/mini_local.py");
      const trajectory = join(folder, `${round}.traj.json`);
      const { stdout } = await run(python, [script, String(steps), trajectory], { cwd: folder });
      theirs.push(Number(stdout.trim().split("\n").at(-1)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const peer = { name: "mini-swe-agent 2.4.6", values: theirs };
  return [against("local_step", "s", ours, peer, 0.5)];
};
