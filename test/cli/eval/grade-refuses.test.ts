import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pmcoder, put } from "../run-world.ts";
import { gradeWorld, putPredictions } from "./grade-world.ts";

describe("pmcoder eval grade refuses", () => {
  it.each([
    [[], /^pmcoder: Give the output folder of an experiment, or --predictions FILE/],
    [["nowhere"], /holds no experiment: expected the folder that was given to pmcoder eval run/],
    [["--predictions", "PREDS", "--dataset", "ROWS"], /with --dataset FILE and --output DIR/],
    [
      ["--predictions", "OTHER", "--dataset", "ROWS", "--output", "x"],
      /has no small__answer-9, for/,
    ],
    [
      ["--predictions", "PREDS", "--dataset", "ROWS", "--output", "x", "--run-id", "a/b", "--yes"],
      /The run id "a\/b" cannot be the name of a folder/,
    ],
    [
      ["--predictions", "PREDS", "--dataset", "ROWS", "--output", "x", "--harness", "official"],
      /python3 has no swebench, which --harness official calls. Install it/,
    ],
    [
      ["--predictions", "PREDS", "--dataset", "ROWS", "--output", "x", "--environment", "local"],
      /without a sandbox, and nobody is at the terminal to consent/,
    ],
  ])("%j", async (args, message) => {
    const at = gradeWorld();
    const other = [{ instance_id: "small__answer-9", model_name_or_path: "m", model_patch: "x" }];
    const files: Readonly<Record<string, string>> = {
      PREDS: putPredictions(at),
      ROWS: at.dataset,
      OTHER: put(at, "other.json", JSON.stringify(other)),
    };
    const line = args.map((word) => files[word] ?? word);
    const python = put(at, "bin/python3", "#!/bin/sh\nexit 1\n");
    const path = `${join(python, "..")}:${process.env["PATH"]}`;
    const { code, err } = await pmcoder(at, ["eval", "grade", ...line], { env: { PATH: path } });
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(join(at.repo, "x"))).toBe(false);
  });
});
