import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { EpisodeResult } from "../../../src/eval/batch/episode-result.ts";
import {
  cassetteText,
  fix,
  issue,
  pmcoder,
  put,
  readText,
  submit,
  type World,
} from "../run-world.ts";

/** What an experiment of a test is made of; each instance is a folder with one wrong line. */
export interface Trial {
  readonly instances: readonly string[];
  readonly arms?: readonly unknown[];
  readonly seeds?: string;
  /** The commands of each run. */
  readonly turns?: readonly string[];
  /** More of the experiment's file. */
  readonly more?: object;
}

/** A repair, its check, and the submission of the diff. */
export const repair = [
  fix,
  "cat answer.py",
  `git diff > p.diff; ${submit.replace("echo", "printf '%s\\n'")}; cat p.diff`,
];

/** Writes an experiment with its dataset and recordings beside the world's repository: its path. */
export function putTrial(at: World, { instances, arms, seeds, turns, more }: Trial): string {
  const rows = instances.map((instance_id) => ({
    instance_id,
    repo: "trial/answers",
    base_commit: "0".repeat(40),
    problem_statement: issue,
    repository: "repos/answers",
    difficulty: "<15 min fix",
  }));
  put(at, "trial/repos/answers/answer.py", "answer = 41\n");
  put(at, "trial/rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  put(at, "trial/replies.jsonl", cassetteText(turns ?? repair));
  return put(
    at,
    "trial/trial.yaml",
    stringify({
      name: "trial",
      dataset: "./rows.jsonl",
      arms: arms ?? ["baseline"],
      seeds: seeds ?? "1",
      model: "replay:replies.jsonl",
      environment: "local",
      caps: { totalUsd: 0 },
      ...more,
    }),
  );
}

/** Runs the trial in this process; nobody is asked. */
export async function evalRun(at: World, trial: Trial, ...flags: readonly string[]) {
  const output = join(at.folder, "out");
  const line = ["eval", "run", putTrial(at, trial), "--output", output, "--yes", ...flags];
  return { ...(await pmcoder(at, line)), output };
}

/** The lines of `results.jsonl`, in order. */
export function resultLines(folder: string): readonly EpisodeResult[] {
  const file = join(folder, "results.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => EpisodeResult.parse(JSON.parse(line)));
}

export const jobsIn = (folder: string) => resultLines(folder).map(({ job }) => job);

/** The predictions of an arm and a seed, by instance. */
export function predictions(folder: string, run: string): Readonly<Record<string, Prediction>> {
  return JSON.parse(readText(folder, run, "preds.json"));
}

interface Prediction {
  readonly instance_id: string;
  readonly model_name_or_path: string;
  readonly model_patch: string;
}

/** What a program is told, an object a line. */
export const jsonLines = (out: string): readonly Readonly<Record<string, unknown>>[] =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
