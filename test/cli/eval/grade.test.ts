import { EventEmitter } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answerPatch, rightPatch, smallScript } from "../../eval/harness/small-instance.ts";
import { lives } from "../run-process.ts";
import { copiesOf, pmcoder, put } from "../run-world.ts";
import {
  gradedIn,
  gradePredictions,
  gradeWorld,
  instances,
  patches,
  putPredictions,
  reportIn,
} from "./grade-world.ts";
import { jsonLines } from "./world.ts";

const [mended = "", unmended = "", unlaid = "", empty = ""] = instances;

describe("pmcoder eval grade --predictions", () => {
  it("grades each patch and writes the official report", async () => {
    const at = gradeWorld();
    const { code, err } = await gradePredictions(at, putPredictions(at));
    expect(code).toBe(0);
    expect(reportIn(at)).toEqual({
      total_instances: 4,
      submitted_instances: 4,
      completed_instances: 2,
      resolved_instances: 1,
      unresolved_instances: 1,
      empty_patch_instances: 1,
      error_instances: 1,
      completed_ids: [mended, unmended],
      incomplete_ids: [],
      empty_patch_ids: [empty],
      submitted_ids: instances,
      resolved_ids: [mended],
      unresolved_ids: [unmended],
      error_ids: [unlaid],
      infra_failure_instances: 0,
      ambiguous_failure_instances: 0,
      infra_failure_ids: [],
      ambiguous_failure_ids: [],
      failure_reasons: {},
      schema_version: 2,
    });
    expect(err).toContain(`pmcoder ${unlaid}  not resolved: the patch does not apply`);
    expect(err).toContain("pmcoder lab/agent: 1 of 4 resolved, 1 not, 1 empty, 1 errors");
    expect(existsSync(gradedIn(at, empty))).toBe(false);
  });

  it("grades only what is new the next time", async () => {
    const at = gradeWorld();
    await gradePredictions(at, putPredictions(at));
    const file = putPredictions(at, patches.with(1, answerPatch("41", "142")));
    const { code, err, out } = await gradePredictions(at, file, "--json");
    expect(code).toBe(0);
    const lines = jsonLines(out);
    const graded = lines.filter(({ type }) => type === "graded");
    expect(graded.map(({ instance_id: id, isNew }) => [id, isNew])).toEqual([
      [mended, false],
      [unlaid, false],
      [empty, false],
      [unmended, true],
    ]);
    expect(graded.at(-1)).toMatchObject({
      run: "pmcoder",
      model: "lab/agent",
      resolved: true,
      remark: null,
      folder: gradedIn(at, unmended),
    });
    expect(lines.at(-1)).toMatchObject({ type: "report", resolved_ids: [mended, unmended] });
    expect(err).toContain("3 of 4 were known before");
  });

  it("judges stored logs again under other rules, and runs nothing for that", async () => {
    const skipped = smallScript("echo SKIPPED").replaceAll("=FAILED", "=SKIPPED");
    const at = gradeWorld(() => ({ eval_script: skipped }));
    const file = putPredictions(at, patches.slice(0, 2));
    await gradePredictions(at, file);
    expect(reportIn(at).resolved_ids).toEqual([mended]);
    rmSync(join(at.folder, "data", "repos"), { recursive: true });
    put(at, "data/repos/answers/answer.txt", "gone\n");
    const again = await gradePredictions(at, file, "--regrade", "--generation", "v4");
    expect(again.code).toBe(0);
    // v4 does not count a test that is skipped, where v5 counts it as failed.
    expect(reportIn(at)).toMatchObject({ resolved_ids: [mended, unmended] });
    expect(reportIn(at)).not.toHaveProperty("infra_failure_ids");
  });

  it("says which patches have no log to judge again", async () => {
    const at = gradeWorld();
    const { code, err } = await gradePredictions(at, putPredictions(at), "--regrade");
    expect(code).toBe(1);
    expect(err).toContain(`${mended}  no verdict: there is no log of its tests`);
    expect(reportIn(at).error_ids).toEqual([mended, unmended, unlaid]);
  });

  it("counts what its engine fails as an error, which the next call tries again", async () => {
    const at = gradeWorld((n) => (n === 0 ? { repository: null, image: "none:1" } : {}));
    const file = putPredictions(at);
    const line = ["--predictions", file, "--dataset", at.dataset, "--output", at.output];
    const around = { env: { DOCKER_HOST: `unix://${at.folder}/no.sock` } };
    const { code, err } = await pmcoder(at, ["eval", "grade", ...line, "--yes"], around);
    expect(code).toBe(1);
    expect(err).toContain(`${mended}  no verdict: `);
    expect(err).toContain("1 without a verdict; the same command tries them again");
    expect(reportIn(at)).toMatchObject({ error_ids: [mended, unlaid], resolved_ids: [] });
    expect(existsSync(gradedIn(at, mended))).toBe(false);
  });

  it("runs tests under another run id and without stored runs where that is asked for", async () => {
    const at = gradeWorld();
    const file = putPredictions(at, [rightPatch, rightPatch]);
    await gradePredictions(at, file, "--run-id", "second", "--no-cache");
    expect(reportIn(at, "lab__agent.second.json").resolved_ids).toEqual([mended, unmended]);
    expect(existsSync(join(at.output, "logs", "test_runs"))).toBe(false);
  });

  it("ends what runs at Ctrl-C, and records nothing of it", async () => {
    const at = gradeWorld((n) => (n === 0 ? { eval_script: smallScript("sleep 345.5") } : {}));
    const file = putPredictions(at, [rightPatch]);
    const signals = new EventEmitter();
    const line = ["--predictions", file, "--dataset", at.dataset, "--output", at.output];
    const running = pmcoder(at, ["eval", "grade", ...line, "--yes"], { signals });
    while (!lives("sleep 345.5")) await wait(50);
    signals.emit("SIGINT");
    expect(await running).toMatchObject({ code: 130 });
    expect([lives("sleep 345.5"), copiesOf(at), existsSync(gradedIn(at, mended))]).toEqual([
      false,
      [],
      false,
    ]);
  });

  it("takes a part of the instances, and reports on those that are graded", async () => {
    const at = gradeWorld();
    await gradePredictions(at, putPredictions(at), "--filter", "-[12]$");
    expect(reportIn(at)).toMatchObject({ resolved_ids: [mended], incomplete_ids: [unlaid] });
  });

  it("reports no verdict on another patch, and none by other rules", async () => {
    const at = gradeWorld();
    await gradePredictions(at, putPredictions(at));
    const file = putPredictions(at, patches.with(1, answerPatch("41", "142")));
    await gradePredictions(at, file, "--filter", "-1$");
    expect(reportIn(at)).toMatchObject({
      resolved_ids: [mended],
      incomplete_ids: [unmended],
      error_ids: [unlaid],
    });
    await gradePredictions(at, file, "--filter", "-1$", "--regrade", "--generation", "v4");
    expect(reportIn(at)).toMatchObject({
      resolved_ids: [mended],
      incomplete_ids: [unmended, unlaid],
      error_ids: [],
    });
  });
});

describe("pmcoder eval grade --gold", () => {
  const gold = (at: ReturnType<typeof gradeWorld>) =>
    pmcoder(at, [
      "eval",
      "grade",
      "--gold",
      "--dataset",
      at.dataset,
      "--output",
      at.output,
      "--yes",
    ]);

  it("finds a grader sound whose gold patches resolve and whose bases do not", async () => {
    const at = gradeWorld();
    const { code, err } = await gold(at);
    expect([code, err.split("\n").at(-2)]).toEqual([
      0,
      "the grader is sound on 4 instances: gold patches resolve, untouched bases do not",
    ]);
    expect(reportIn(at, "gold.gold.json").resolved_ids).toEqual(instances);
  });

  it("names an instance whose own patch does not mend it, and one that needs no patch", async () => {
    const always = smallScript().replace("grep -q 42", "grep -q 4");
    const broken = [{ patch: answerPatch("41", "43") }, { eval_script: always }];
    const { code, err } = await gold(gradeWorld((n) => broken[n] ?? {}));
    expect(code).toBe(1);
    expect(err).toContain(`NOT sound: gold ${mended}, untouched ${unmended}\n`);
  });
});
