import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import {
  missingPatch,
  rightPatch,
  smallRow,
  wrongPatch,
} from "../../eval/harness/small-instance.ts";
import { cassetteText, issue, pmcoder, put, submit, type World, world } from "../run-world.ts";

/** Instances that bring their repository: nothing of Docker is needed to test a patch. */
export const instances = [
  "small__answer-1",
  "small__answer-2",
  "small__answer-3",
  "small__answer-4",
];

/** What an agent said of each: it mends, it does not, it does not apply, there is none. */
export const patches = [rightPatch, wrongPatch, missingPatch, ""];

export interface GradeWorld extends World {
  readonly dataset: string;
  readonly output: string;
}

/** `change`: more of a row by its number. */
export function gradeWorld(change: (at: number) => object = () => ({})): GradeWorld {
  const at = world();
  const rows = instances.map((instance_id, n) => ({
    ...smallRow({ instance_id, problem_statement: issue, repository: "repos/answers" }),
    ...change(n),
  }));
  put(at, "data/repos/answers/answer.txt", "The answer:\n41\n");
  const dataset = put(
    at,
    "data/rows.jsonl",
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  return { ...at, dataset, output: join(at.folder, "graded") };
}

/** Predictions of a model, one an instance, beside the dataset: the path of their file. */
export function putPredictions(at: World, made: readonly string[] = patches): string {
  const rows = made.map((model_patch, n) => ({
    instance_id: instances[n],
    model_name_or_path: "lab/agent",
    model_patch,
  }));
  return put(at, "preds.json", JSON.stringify(rows));
}

/** `pmcoder eval grade` of these predictions; nobody is asked. */
export function gradePredictions(at: GradeWorld, file: string, ...flags: readonly string[]) {
  const line = ["--predictions", file, "--dataset", at.dataset, "--output", at.output];
  return pmcoder(at, ["eval", "grade", ...line, "--yes", ...flags]);
}

/** Where an instance's files are. */
export const gradedIn = (at: GradeWorld, instance: string) =>
  join(at.output, "logs", "run_evaluation", "pmcoder", "lab__agent", instance);

export const reportIn = (at: GradeWorld, name = "lab__agent.pmcoder.json") =>
  JSON.parse(readFileSync(join(at.output, name), "utf8"));

/** An experiment over two of the instances, run and graded: its output folder. */
export async function ranExperiment(at: GradeWorld): Promise<string> {
  const mend = [`sed -i s/41/42/ answer.txt; git diff > p; echo ${submit.slice(5)}; cat p`];
  put(at, "data/replies.jsonl", cassetteText(mend));
  const file = put(
    at,
    "data/trial.yaml",
    stringify({
      name: "trial",
      dataset: "./rows.jsonl",
      arms: ["baseline"],
      seeds: "1-2",
      model: "replay:replies.jsonl",
      environment: "local",
      caps: { totalUsd: 0 },
    }),
  );
  const line = ["eval", "run", file, "--output", at.output, "--slice", "0:2", "--yes"];
  const { code, err } = await pmcoder(at, line);
  if (code !== 0) throw new Error(err);
  return at.output;
}
