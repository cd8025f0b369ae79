import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pmcoder, put, readText, world } from "../run-world.ts";
import { jobsIn, putTrial } from "./world.ts";

describe("rows of a dataset that are malformed", () => {
  it("are named by line, left out of the run, and counted in the report", async () => {
    const at = world();
    const file = putTrial(at, { instances: ["a__a-1"] });
    const good = readText(at.folder, "trial", "rows.jsonl");
    put(at, "trial/rows.jsonl", `{"instance_id":\n${good}{"instance_id":"b__b-1"}\n${good}`);
    const output = join(at.folder, "out");
    const ran = await pmcoder(at, ["eval", "run", file, "--output", output, "--yes"]);
    expect(ran.code, ran.err).toBe(0);
    const told = ran.err.split("\n").filter((line) => line.startsWith("left out: "));
    expect(told).toEqual([
      expect.stringMatching(/rows\.jsonl:1 is not JSON: /),
      expect.stringMatching(/rows\.jsonl:3 \(b__b-1\): repo is missing; /),
      expect.stringMatching(/rows\.jsonl:4: a__a-1 stands in \S+rows\.jsonl:2 already$/),
    ]);
    expect(jobsIn(output)).toEqual(["baseline/seed-1/a__a-1"]);
    const reported = await pmcoder(at, ["eval", "report", output, "--resamples", "9"]);
    expect(reported.code, reported.err).toBe(0);
    expect(readText(output, "report.md")).toContain(
      "| instances | 1 of the dataset's 1; 3 malformed rows left out |",
    );
  });
});
