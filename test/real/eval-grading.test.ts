import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { RUN_LABEL } from "../../src/environments/docker-labels.ts";
import type { DatasetRow } from "../../src/eval/dataset-row.ts";
import { pmcoder, put, type World, world } from "../cli/run-world.ts";
import { works as hasDocker, IMAGE } from "../environments/docker-places.ts";
import { hasOfficial } from "../eval/grading/official.ts";
import { smallRow, smallScript } from "../eval/harness/small-instance.ts";

/** The patches of the instances make a file in the image's repository. */
const answer = (text: string) => `diff --git a/answer.txt b/answer.txt
new file mode 100644
--- /dev/null
+++ b/answer.txt
@@ -0,0 +1 @@
+${text}
`;
const right = answer("42");
const wrong = answer("43");
const unlaid = `diff --git a/.gitignore b/.gitignore
--- a/.gitignore
+++ b/.gitignore
@@ -1,2 +1,2 @@
-what is not there
+42
 nor this
`;

/**
 * Scripts begin where their image says. Of two streams the official harness takes now one first, now
 * the other, and with them the marks; of one it takes what comes first.
 */
const script = (more = "") => smallScript(`cd /testbed; exec 2>&1; ${more}`);

interface Case {
  readonly patch: string;
  readonly row?: Partial<DatasetRow>;
}

/** Predictions and rows of these cases on disk; the instance of the n-th is `small__case-n`. */
function putCases(at: World, cases: readonly Case[]) {
  const rows = cases.map(({ row }, n) =>
    smallRow({
      instance_id: `small__case-${n}`,
      image: IMAGE,
      version: "1",
      eval_script: script(),
      ...row,
    }),
  );
  const made = cases.map(({ patch }, n) => ({
    instance_id: `small__case-${n}`,
    model_name_or_path: "agent",
    model_patch: patch,
  }));
  const dataset = put(at, "rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return { dataset, predictions: put(at, "preds.json", JSON.stringify(made)) };
}

async function grade(at: World, cases: readonly Case[], ...flags: readonly string[]) {
  const { dataset, predictions } = putCases(at, cases);
  const output = join(at.folder, flags.includes("official") ? "official" : "own");
  const line = ["--predictions", predictions, "--dataset", dataset, "--output", output];
  const env = Object.fromEntries(
    ["DOCKER_HOST", "PMCODER_PEERS"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const ran = await pmcoder(at, ["eval", "grade", ...line, ...flags], { env });
  const fileOf = (n: number, name: string) =>
    join(output, "logs", "run_evaluation", "pmcoder", "agent", `small__case-${n}`, name);
  const report = JSON.parse(readFileSync(join(output, "agent.pmcoder.json"), "utf8"));
  return { ...ran, report, fileOf };
}

/** Removes the container in which such a command line runs, as soon as there is one. */
async function killContainerOf(words: string): Promise<void> {
  const { docker } = await connectEngine(process.env);
  for (;;) {
    for (const { Id: id } of await docker.listContainers({ filters: { label: [RUN_LABEL] } })) {
      const container = docker.getContainer(id);
      const { Processes: lines = [] } = await container.top().catch(() => ({ Processes: [] }));
      if (JSON.stringify(lines).includes(words)) return container.kill();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe.runIf(hasDocker)("grading in containers", () => {
  it("that are killed comes to no verdict, is tried again, and is told apart from a wrong patch", {
    timeout: 180_000,
  }, async () => {
    const at = world();
    const slow = [{ patch: right, row: { eval_script: script("sleep 4.0125") } }];
    const first = grade(at, slow);
    await killContainerOf("sleep 4.0125");
    await killContainerOf("sleep 4.0125");
    const { code, err, report, fileOf } = await first;
    expect([code, err]).toEqual([1, expect.stringMatching(/small__case-0 {2}no verdict: .+/)]);
    expect(report).toMatchObject({ error_ids: ["small__case-0"], unresolved_ids: [] });
    expect(existsSync(fileOf(0, "grading.json"))).toBe(false);

    const second = grade(at, slow);
    await killContainerOf("sleep 4.0125");
    const after = await second;
    expect([after.code, after.report.resolved_ids]).toEqual([0, ["small__case-0"]]);
  });

  it("brings a log of 50 MB here, and ends what hangs", { timeout: 180_000 }, async () => {
    const loud = "set +x; head -c 50000000 /dev/zero | tr '\\0' x; echo; set -x";
    const cases = [
      { patch: right, row: { eval_script: script(loud) } },
      { patch: right, row: { eval_script: script("sleep 789.25 | cat") } },
    ];
    const { code, err, report, fileOf } = await grade(world(), cases, "--timeout", "15");
    expect(code).toBe(0);
    expect(statSync(fileOf(0, "test_output.txt")).size).toBeGreaterThan(50_000_000);
    expect(report).toMatchObject({ resolved_ids: ["small__case-0"], error_ids: ["small__case-1"] });
    expect(err).toContain("small__case-1  not resolved: the tests took too long and were ended");
    expect(readFileSync(fileOf(1, "test_output.txt"), "utf8")).toMatch(
      /\n\nTimeout error: 15 seconds exceeded\.$/,
    );
  });
});

describe.runIf(hasDocker && hasOfficial)("the official harness", () => {
  it("reports the same of the same patches, file by file", { timeout: 600_000 }, async () => {
    const forged = script(`echo '>>>>> Start Test Output'; echo PASSED test_answer.py::test_right
echo PASSED test_answer.py::test_there; echo '>>>>> End Test Output'`);
    const cases: readonly Case[] = [
      { patch: right },
      { patch: wrong },
      { patch: unlaid },
      { patch: "" },
      { patch: wrong, row: { eval_script: forged } },
      { patch: right, row: { eval_script: "echo nothing" } },
      { patch: `${right}\n\nThat is all.\n` },
    ];
    const at = world();
    const own = await grade(at, cases, "--workers", "2");
    const official = await grade(at, cases, "--workers", "6", "--harness", "official");
    expect([own.code, official.code]).toEqual([0, 0]);
    expect(official.report).toEqual(own.report);
    for (const [n] of cases.entries()) {
      const [ours, theirs] = [own, official].map(({ fileOf }) => {
        const file = fileOf(n, "report.json");
        return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
      });
      expect([n, ours]).toEqual([n, theirs]);
    }
    expect(own.report).toMatchObject({ error_ids: ["small__case-2"], empty_patch_instances: 1 });
  });
});
