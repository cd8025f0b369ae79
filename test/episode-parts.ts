import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { EpisodeParts } from "../src/agent/episode.ts";
import type { LoopParts } from "../src/agent/loop.ts";
import { prompts } from "../src/agent/prompts.ts";
import { RunConfig } from "../src/domain/config/run-config.ts";
import type { EpisodeEvent } from "../src/domain/episode.ts";
import type { Model } from "../src/domain/model.ts";
import { openLocal } from "../src/environments/local.ts";
import { stoppedClock } from "./stopped-clock.ts";

export type Files = Readonly<Record<string, string>>;

const baseline = { arm: "baseline", planner: { on: false }, memory: { on: false } };

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
    cwd: folder,
    // The same files are the same commit.
    env: { ...process.env, GIT_AUTHOR_DATE: "1767225600 +0", GIT_COMMITTER_DATE: "1767225600 +0" },
  });

/** A git repository with these files committed, removed when the test ends. */
export function repository(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-repo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  layRepository(folder, files);
  return folder;
}

/** Makes a folder a git repository with these files committed. */
export function layRepository(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "base");
}

export interface TestEpisode {
  readonly parts: EpisodeParts & Pick<LoopParts, "files">;
  readonly events: readonly EpisodeEvent[];
  readonly folder: string;
}

/** An episode over a real repository and a real local shell, its events kept in memory. */
export async function testEpisode(
  model: Model,
  files: Files,
  options: {
    /** On top of the baseline: the substrate is off unless this switches it on. */
    readonly config?: Readonly<Record<string, unknown>>;
    readonly issue?: string;
    readonly signal?: AbortSignal;
    readonly decide?: EpisodeParts["decide"];
    readonly wantsPatch?: boolean;
    readonly reproducer?: EpisodeParts["reproducer"];
  } = {},
): Promise<TestEpisode> {
  const config = RunConfig.parse({ ...baseline, ...options.config });
  const folder = repository(files);
  const spool = mkdtempSync(join(tmpdir(), "pmcoder-spool-"));
  const environment = await openLocal({
    copy: folder,
    spool,
    config: config.environment,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  onTestFinished(async () => {
    await environment.close();
    rmSync(spool, { recursive: true, force: true });
  });
  const events: EpisodeEvent[] = [];
  const issue = options.issue ?? "answer() is wrong";
  const parts: TestEpisode["parts"] = {
    files: Object.keys(files),
    run: "20260101-000000-test",
    instanceId: null,
    issue,
    version: "0.0.0",
    output: "/runs/test",
    notices: [],
    reproducer: options.reproducer ?? null,
    wantsPatch: options.wantsPatch ?? true,
    model,
    environment,
    config,
    clock: stoppedClock(),
    signal: options.signal ?? new AbortController().signal,
    decide: options.decide,
    prompts: prompts({
      issue,
      wantsPatch: true,
      workdir: "/testbed",
      patch: config.agent.patch,
      commandTimeoutSec: config.environment.commandTimeoutSec,
      network: config.environment.network,
    }),
    record: async (added) => void events.push(...added),
  };
  return { parts, events, folder };
}
