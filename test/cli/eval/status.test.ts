import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namesIn, pmcoder, put, world } from "../run-world.ts";
import { evalRun } from "./world.ts";

describe("pmcoder eval status", () => {
  it("tells how far each arm is, and changes nothing", async () => {
    const at = world();
    const trial = { instances: ["a__a-1", "b__b-1"], arms: ["baseline", "full"] };
    const { output } = await evalRun(at, trial, "--arms", "full", "--slice", ":1");
    const before = namesIn(output);
    const { code, out, err } = await pmcoder(at, ["eval", "status", output]);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err.replace(/-[0-9a-f]{8}/, "")).toMatchInlineSnapshot(`
      "trial, trial: no process of this folder works on it
      arm   done  running  resolved  failures  given up   money  time left
      full   1/1        0         –         0         0  $0.000        0 s
      all    1/1        0         –         0         0  $0.000        0 s
      "
    `);
    expect(namesIn(output)).toEqual(before);
  });

  it("refuses a folder that holds no experiment", async () => {
    const at = world();
    const { code, err } = await pmcoder(at, ["eval", "status", at.repo]);
    expect(code).toBe(2);
    expect(err).toBe(
      `pmcoder: ${at.repo} holds no experiment: expected the folder that was given to pmcoder eval run as --output.\n`,
    );
  });

  it("names a record that cannot be read", async () => {
    const at = world();
    const file = put(at, "out/experiment.json", "{");
    const { code, err } = await pmcoder(at, ["eval", "status", join(at.folder, "out")]);
    expect(code).toBe(1);
    expect(err).toContain(`Cannot read ${file}`);
  });
});

describe("pmcoder eval fetch verified", () => {
  it("asks nothing of the network for rows that are there", async () => {
    const at = world();
    const file = put(at, "home/.local/share/pmcoder/datasets/verified.parquet", "PAR1");
    const { code, out, err } = await pmcoder(at, ["eval", "fetch", "verified", "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: `already there: ${file}\n` });
    expect(JSON.parse(out)).toEqual({ file, isNew: false, record: null });
  });
});
