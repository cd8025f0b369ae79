import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runLoop } from "../src/agent/loop.ts";
import { systemClock } from "../src/cli/compose.ts";
import { RunConfig } from "../src/domain/config/run-config.ts";
import type { Environment } from "../src/domain/environment.ts";
import type { EpisodeEvent } from "../src/domain/episode.ts";
import type { Model } from "../src/domain/model.ts";
import { openLocal } from "../src/environments/local.ts";
import { openJournal } from "../src/store/sqlite.ts";
import { scriptedModel } from "../test/scripted-model.ts";
import type { Benchmark } from "./figure.ts";

const episodes = 200;
const steps = 50;
const thinkSec = 1;

/** Replies with `true`, a second after it is asked; the plan's own call is answered at once. */
function thinking(): Model {
  const script = scriptedModel([...Array(steps).fill("true")]);
  return {
    ...script,
    complete: async (request, options) => {
      if (request.purpose !== "act") {
        const message = { role: "assistant", content: "", calls: [] } as const;
        const usage = { input: 1, cached: 0, cacheWritten: 0, output: 1 };
        return { message, usage, stop: "end", model: "scripted" };
      }
      await wait(thinkSec * 1000);
      return script.complete(request, options);
    },
  };
}

const config = RunConfig.parse({ agent: { stepLimit: steps } });

async function open(folder: string, index: number): Promise<Environment> {
  const copy = join(folder, `repo-${index}`);
  mkdirSync(copy);
  const spool = join(folder, `outputs-${index}`);
  return openLocal({ copy, spool, config: config.environment, env: process.env });
}

function beginningOf(run: string): EpisodeEvent {
  return {
    type: "begin",
    run,
    instanceId: null,
    task: "Run true.",
    arm: config.arm,
    model: "scripted:test",
    environment: { kind: "local", workdir: "/" },
    base: { tree: "", commit: null, store: "" },
    wantsPatch: true,
    config,
    version: "0.0.0",
  };
}

/**
 * The full arm 200 times at once in one process, each step a reply after a second, `true` in a
 * local shell, and the journal on disk: how near the whole comes to 50 s, and its resident memory.
 * Opening and closing are not counted.
 */
export const episodes200: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const journal = openJournal(join(folder, "pmcoder.db"), systemClock);
  const environments: Environment[] = [];
  for (let index = 0; index < episodes; index += 1) environments.push(await open(folder, index));
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 250);
  const startedAt = performance.now();
  await Promise.all(
    environments.map(async (environment, index) => {
      const run = `run-${index}`;
      await journal.append(run, [beginningOf(run)]);
      return runLoop({
        model: thinking(),
        environment,
        config,
        clock: systemClock,
        signal: new AbortController().signal,
        issue: "Run true.",
        files: [],
        prompts: { system: "You fix issues.", task: "Run true." },
        record: async (events) => void (await journal.append(run, events)),
      });
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampler);
  for (const environment of environments) await environment.close();
  await journal.close();
  rmSync(folder, { recursive: true, force: true });
  const figure = { n: episodes * steps, peer: null, ratio: null };
  const share = (steps * thinkSec) / seconds;
  const gibibytes = peakBytes / 1024 ** 3;
  return [
    {
      figure: "episodes_200",
      value: share,
      unit: "of ideal throughput",
      ...figure,
      goal: ">= 0.95",
      met: share >= 0.95,
    },
    {
      figure: "episodes_200_memory",
      value: gibibytes,
      unit: "GiB",
      ...figure,
      goal: "<= 1",
      met: gibibytes <= 1,
    },
  ];
};
