import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/program.ts";
import { readDataset } from "../../../src/eval/dataset-file.ts";
import { layOutRepository, repositoryOf } from "../../../src/eval/dataset-repository.ts";
import type { DatasetRow } from "../../../src/eval/dataset-row.ts";
import { type EpisodeJob, expand } from "../../../src/eval/experiment/expand.ts";
import { modelNameOf } from "../../../src/eval/experiment/model-name.ts";
import { parseExperiment } from "../../../src/eval/experiment/parse.ts";
import { parseSelection } from "../../../src/eval/experiment/select.ts";
import { folderWith } from "../dataset-folder.ts";

const experiments = fileURLToPath(new URL("../../../eval/experiments", import.meta.url));
const experiment = parseExperiment(
  readFileSync(join(experiments, "smoke.yaml"), "utf8"),
  "smoke.yaml",
);
const dataset = await readDataset(join(experiments, experiment.dataset), experiment.dataset);
const ids = dataset.rows.map(({ instance_id }) => instance_id);
const jobs = expand(experiment, ids, parseSelection({}, experiment));
const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

async function layOut(row: DatasetRow, into: string): Promise<string> {
  const folder = await repositoryOf(row, dataset.folder);
  if (folder === null) throw new Error(`${row.instance_id} brings no repository`);
  const { path: copy, commit } = await layOutRepository(folder, into, path);
  expect(commit).toBe(row.base_commit);
  return copy;
}

/** What the row's own script says of each test, with a patch applied; by its parser's format. */
async function evaluate(row: DatasetRow, patch: string) {
  const cwd = await layOut(row, folderWith({}));
  const env = { PATH: path, HOME: cwd };
  const bash = (script: string) =>
    spawnSync("bash", ["-c", `${script} 2>&1`], { cwd, env, encoding: "utf8" }).stdout;
  writeFileSync(join(cwd, "..", "p.diff"), patch);
  if (patch !== "") expect(bash("git apply ../p.diff && echo whole")).toBe("whole\n");
  writeFileSync(join(cwd, "..", "eval.sh"), row.eval_script ?? "");
  const [, tests = ""] = bash("bash ../eval.sh").split(/>>>>> (?:Start|End) Test Output/);
  const those = (status: string) =>
    [...tests.matchAll(new RegExp(`^${status} (\\S+)$`, "gm"))].map(([, name]) => name).sort();
  return { passed: those("PASSED"), failed: those("FAILED") };
}

const sorted = (...lists: readonly (readonly string[] | null)[]) =>
  lists.flatMap((list) => list ?? []).sort();

async function run(row: DatasetRow, job: EpisodeJob): Promise<string> {
  const home = folderWith({});
  const output = join(home, "output");
  const io = {
    env: { HOME: home, PATH: path },
    cwd: home,
    stdin: Readable.from([]),
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    signals: new EventEmitter(),
    leave: () => {},
  };
  const model = modelNameOf(experiment.model ?? "", job, experiments);
  await main(
    ["run", "--instance", row.instance_id, "--dataset", join(experiments, experiment.dataset)]
      .concat(["--repo", await layOut(row, home), "--environment", "local", "--yes"])
      .concat(["--arm", job.arm, "--seed", String(job.seed), "--model", model])
      .concat(["--output", output, "--state", join(home, "state")]),
    io,
  );
  const { exit_status } = JSON.parse(readFileSync(join(output, "summary.json"), "utf8"));
  expect(["submitted", "no_patch"]).toContain(exit_status);
  return readFileSync(join(output, "patch.diff"), "utf8");
}

describe("the smoke experiment's instances", () => {
  it("are well-formed and lie beside their repositories", () => {
    expect(dataset.faults).toEqual([]);
    expect(ids).toEqual(["smoke__ranges-1", "smoke__labels-1", "smoke__ledger-1"]);
  });

  it.each(dataset.rows)(
    "$instance_id fails before its gold patch and passes after it",
    async (row) => {
      expect(await evaluate(row, "")).toEqual({
        passed: sorted(row.PASS_TO_PASS),
        failed: sorted(row.FAIL_TO_PASS),
      });
      expect(await evaluate(row, row.patch ?? "")).toEqual({
        passed: sorted(row.PASS_TO_PASS, row.FAIL_TO_PASS),
        failed: [],
      });
    },
  );
});

/** What the replies lead to: true is resolved, null no patch. Seeds 1 and 2. */
const outcomes: Readonly<Record<string, readonly (boolean | null)[]>> = {
  "smoke__ranges-1 baseline": [true, true],
  "smoke__ranges-1 full": [true, true],
  "smoke__labels-1 baseline": [true, false],
  "smoke__labels-1 full": [true, true],
  "smoke__ledger-1 baseline": [false, null],
  "smoke__ledger-1 full": [true, false],
};

describe("the smoke experiment's runs", () => {
  it.each(jobs)("$id ends as its replies lead to", async (job) => {
    const row = dataset.rows.find(({ instance_id }) => instance_id === job.instance);
    if (row === undefined) throw new Error("no such row");
    const patch = await run(row, job);
    const expected = outcomes[`${job.instance} ${job.arm}`]?.[job.seed - 1];
    expect(patch === "").toBe(expected === null);
    const { failed } = await evaluate(row, patch);
    expect(failed.length === 0).toBe(expected === true);
  });
});
