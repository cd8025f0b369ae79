import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bubblewrapWorks } from "../../src/environments/bubblewrap.ts";
import { capable } from "../capabilities.ts";
import { hasData, hiddenTests, replay, rowOf } from "./replayed-run.ts";

/**
 * ExpeRepair's workflow on a real project, with replies that were written for this test. The
 * candidates and scripts are really run; what counts is the instance's own hidden test.
 */
const hasBubblewrap = await capable("bubblewrap", async () => (await bubblewrapWorks()).ok);
const instance = "sympy__sympy-24213";
const replies = "test/fixtures/workflows/experepair-sympy-24213.jsonl";

describe.runIf(hasData && hasBubblewrap)("pmcoder run --workflow experepair", () => {
  it("resolves an instance, the best of its candidates chosen by what they print", {
    timeout: 600_000,
  }, async () => {
    const more = ["--workflow", "experepair", "-c", "workflow.experepair.scriptTimeoutSec=600"];
    const { code, summary, patch, shown } = await replay(instance, "bubblewrap", more, replies);
    expect([code, shown]).toEqual([
      0,
      expect.stringContaining("the issue is reproduced (round 2)"),
    ]);
    const expected = { exit_status: "submitted", arm: "experepair", steps: 30, verdict: "pass" };
    expect(summary).toMatchObject({ ...expected, patch: { applies: true } });
    const changed = (await readFile(patch, "utf8")).match(/^[+-] .*$/gm);
    expect(changed).toEqual([
      expect.stringContaining("if dim != addend_dim:"),
      expect.stringContaining("equivalent_dims(dim, addend_dim)"),
    ]);
    const row = await rowOf(instance);
    const verdicts = await hiddenTests(row, patch);
    for (const test of row.FAIL_TO_PASS) expect([test, verdicts.get(test)]).toEqual([test, "ok"]);
  });
});
