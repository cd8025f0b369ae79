import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { EpisodeEvent, ExitStatus } from "../../../src/domain/episode.ts";
import type { Journal } from "../../../src/domain/journal.ts";
import type { EpisodeSpec } from "../../../src/eval/batch/episode-spec.ts";
import type { Stage } from "../../../src/eval/batch/perform-job.ts";
import { DatasetRow } from "../../../src/eval/dataset-row.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { beginEvent, reply } from "../../trajectories/recorded-episode.ts";

const row = DatasetRow.parse({
  instance_id: "a__a-1",
  repo: "a/a",
  base_commit: "0",
  problem_statement: "It is wrong.",
  difficulty: "1-4 hours",
});

export const spec: EpisodeSpec = {
  job: jobOf("a__a-1", "full", 1),
  row,
  repository: null,
  script: null,
  config: RunConfig.parse({}),
  prompts: {},
};

/** How an attempt goes: its end after some replies, a failure before it begins, or a death. */
export type Attempt = ExitStatus | Error | "killed";

export interface Played {
  readonly run: string;
  /** Events of an earlier process. */
  readonly past: number;
}

/** Plays attempts as told, one after the other; each makes two replies of a quarter cent. */
export class ScriptedStage implements Stage {
  readonly played: Played[] = [];
  readonly cleared: string[] = [];
  /** Patches that are lost, by run. */
  readonly lost = new Set<string>();
  isPaidFor = true;
  goesOn = true;
  readonly #journal: Journal;
  readonly #attempts: Attempt[];

  constructor(journal: Journal, attempts: readonly Attempt[]) {
    this.#journal = journal;
    this.#attempts = [...attempts];
  }

  play: Stage["play"] = async (_, run, past) => {
    this.played.push({ run, past: past.length });
    const attempt = this.#attempts.shift() ?? "submitted";
    if (attempt instanceof Error) throw attempt;
    const opening: EpisodeEvent =
      past.length === 0
        ? beginEvent(run)
        : {
            type: "resume",
            version: "0.1.0",
            base: { tree: "t", commit: null, store: "s" },
            rebuilt: false,
            limits: {},
          };
    await this.#journal.append(run, [opening, reply(1, "", []), reply(2, "", [])]);
    if (attempt === "killed") throw new Error("killed");
    const end = { type: "end", status: attempt, reason: `so: ${attempt}`, seconds: 1 } as const;
    await this.#journal.append(run, [end]);
  };

  canGoOn: Stage["canGoOn"] = async () => this.goesOn;
  patchOf: Stage["patchOf"] = async (_, { run }) => (this.lost.has(run) ? null : `of ${run}`);
  imageOf: Stage["imageOf"] = async () => "image";
  recordOf: Stage["recordOf"] = async (name) => ({ name, id: "sha256:1", digest: null });
  isPaid: Stage["isPaid"] = async () => this.isPaidFor;
  grading: Stage["grading"] = () => ({ runId: "r", folder: "/f" });
  clear: Stage["clear"] = async (_, run) => void this.cleared.push(run);
}
