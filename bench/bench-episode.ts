import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEpisode } from "../src/agent/episode.ts";
import { prompts } from "../src/agent/prompts.ts";
import { systemClock } from "../src/cli/compose.ts";
import { RunConfig } from "../src/domain/config/run-config.ts";
import type { Environment } from "../src/domain/environment.ts";
import type { RecordedEvent } from "../src/domain/episode.ts";
import { openLocal } from "../src/environments/local.ts";
import { writeOutput } from "../src/store/files.ts";
import { openJournal } from "../src/store/sqlite.ts";
import { miniTrajectory } from "../src/trajectories/export.ts";
import { type ScriptedModel, scriptedModel } from "../test/scripted-model.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

export interface BenchRun {
  readonly model: ScriptedModel;
  /** Of the loop alone: from the first request to the submission's answer, a step. */
  readonly secondsPerStep: number;
  readonly events: readonly RecordedEvent[];
  /** Bytes of `trajectory.json`. */
  readonly trajectoryBytes: number;
}

/** Opens what the commands run in; `folder` is the episode's own, `copy` a repository in it. */
export type Open = (
  copy: string,
  folder: string,
  config: RunConfig["environment"],
) => Promise<Environment>;

const local: Open = (copy, folder, config) =>
  openLocal({ copy, spool: join(folder, "outputs"), config, env: process.env });

/** A whole episode with a journal on disk, its commands given; on this machine if not said otherwise. */
export async function benchEpisode(
  commands: readonly string[],
  open: Open = local,
): Promise<BenchRun> {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const copy = join(folder, "repo");
  execFileSync("git", ["init", "-q", copy]);
  writeFileSync(join(copy, "a.txt"), "1\n");
  const config = RunConfig.parse({ agent: { stepLimit: commands.length + 1 } });
  const journal = openJournal(join(folder, "pmcoder.db"), systemClock);
  const environment = await open(copy, folder, config.environment);
  const model = scriptedModel([...commands, submit]);
  const events: RecordedEvent[] = [];
  let beganAt = 0;
  let endedAt = 0;
  try {
    await runEpisode({
      run: "20260101-000000-beef",
      instanceId: null,
      issue: "Run true.",
      version: "0.0.0",
      output: folder,
      notices: [],
      wantsPatch: false,
      model,
      environment,
      config,
      clock: systemClock,
      signal: new AbortController().signal,
      prompts: prompts({
        issue: "Run true.",
        workdir: environment.workdir,
        patch: "extraction",
        wantsPatch: false,
        commandTimeoutSec: 60,
        network: "on",
      }),
      record: async (added) => {
        events.push(...(await journal.append("20260101-000000-beef", added)));
        if (added.some(({ type }) => type === "prompt")) beganAt = performance.now();
        if (added.some(({ type }) => type === "submission")) endedAt = performance.now();
      },
    });
    writeOutput(folder, "trajectory.json", miniTrajectory(events, ""));
    const trajectoryBytes = Number(
      execFileSync("wc", ["-c", join(folder, "trajectory.json")])
        .toString()
        .split(" ")[0],
    );
    const secondsPerStep = (endedAt - beganAt) / 1000 / (commands.length + 1);
    return { model, secondsPerStep, events, trajectoryBytes };
  } finally {
    await environment.close();
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
