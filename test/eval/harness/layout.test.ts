import { describe, expect, it } from "vitest";
import { instanceFolder } from "../../../src/eval/harness/layout.ts";

const folder = (runId: string, model: string) =>
  instanceFolder("/out", { runId, model, instance: "a__a-1" });

describe("the folder of a graded instance", () => {
  it("is the official one", () => {
    expect(folder("run", "lab/agent v2")).toBe("/out/logs/run_evaluation/run/lab__agent v2/a__a-1");
  });

  it.each([
    ["a/b", "m", "The run id"],
    ["..", "m", "The run id"],
    ["", "m", "The run id"],
    ["r", ".", "The model's name"],
    ["r", "a\\b", "The model's name"],
    ["r", "x".repeat(201), "The model's name"],
  ])("is none for run %j and model %j", (runId, model, what) => {
    expect(() => folder(runId, model)).toThrow(`${what} `);
  });
});
