import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  replayOf,
  sh,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

async function runInstance(at: World, id: string) {
  const row = {
    instance_id: id,
    repo: "acme/answer",
    base_commit: sh(at.repo, "git rev-parse HEAD").trim(),
    problem_statement: issue,
  };
  const dataset = put(at, "rows.jsonl", `${JSON.stringify(row)}\n`);
  return pmcoder(at, [
    ...["run", "--instance", id, "--dataset", dataset, "--repo", at.repo],
    ...["--model", replayOf(at, fix, submit), "--yes", "--environment", "local"],
  ]);
}

describe("an instance", () => {
  it.each([
    ["of any letters", "naïve__日本語-1"],
    ["of 300 characters", `acme__${"a".repeat(300)}-1`],
    ["of shell characters", "acme__$(touch$IFS$x)';&-1"],
    ["called like a device", "con"],
  ])("%s runs, and is one in the summary", async (_name, id) => {
    const at = world();
    const before = namesIn(at.folder);
    expect((await runInstance(at, id)).code).toBe(0);
    const summary = summaryIn(onlyRun(at));
    expect(summary.instance_id).toBe(id);
    expect(summary.run).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/);
    expect(namesIn(at.folder)).toEqual([...before, "cassette.jsonl", "rows.jsonl"].sort());
    expect(namesIn(at.repo)).toEqual([".git", ".pmcoder", "answer.py"]);
  });

  it.each([["../../up"], ["a/b"], ["a\\b"], [".."], [""], ["a b"], ["a\0b"]])(
    "called %j is refused, before anything is made",
    async (id) => {
      const at = world();
      const { code, err } = await runInstance(at, id);
      expect(code).toBe(2);
      expect(err).not.toContain("internal error");
      expect(namesIn(join(at.repo, ".pmcoder"))).toEqual([]);
    },
  );
});
