import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { experimentFile, ownExperiments } from "../../../src/cli/eval/experiment-file.ts";
import { pmcoder, put, world } from "../run-world.ts";
import { jobsIn, resultLines } from "./world.ts";

const own = resolve("eval/experiments");

describe("the file of an experiment", () => {
  it.each(ownExperiments())("is pmcoder's own by the name %s", (name) => {
    expect(experimentFile(name)).toBe(join(own, `${name}.yaml`));
  });

  it.each(["mine", "smoke.yaml", "./smoke", "../arms/full", ""])(
    "is the user's where it is no such name: %s",
    (path) => {
      expect(experimentFile(path)).toBe(path);
    },
  );

  it("is one of those that there are", () => {
    expect(ownExperiments()).toEqual(
      expect.arrayContaining(["ablations", "adarepair", "experepair", "smoke", "verified-500"]),
    );
  });

  it("travels in the package, with all that the smoke experiment names", () => {
    const line = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const [{ files }] = JSON.parse(execFileSync("npm", line, { encoding: "utf8" }));
    const packed = files.map(({ path }: { readonly path: string }) => path);
    const names = readdirSync("eval/smoke", { recursive: true, withFileTypes: true });
    const needed = names.flatMap((entry) =>
      entry.isFile() ? join(entry.parentPath, entry.name) : [],
    );
    expect(needed.length).toBeGreaterThan(10);
    const experiments = ownExperiments().map((name) => `eval/experiments/${name}.yaml`);
    expect(packed).toEqual(expect.arrayContaining([...experiments, ...needed]));
  });
});

describe("an experiment by its name", () => {
  it("runs from anywhere, also where a folder has the same name", async () => {
    const at = world();
    put(at, "repo/smoke/results.jsonl", "");
    const output = join(at.folder, "out");
    const some = ["--arms", "full", "--seeds", "1", "--filter", "ledger", "--environment", "local"];
    const line = ["eval", "run", "smoke", "--output", output, "--yes", ...some];
    const { code, err } = await pmcoder(at, line);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(jobsIn(output)).toEqual(["full/seed-1/smoke__ledger-1"]);
    expect(resultLines(output)).toMatchObject([{ status: "submitted", resolved: true }]);
  });

  it.each([
    ["run", "gone"],
    ["run", "eval/experiments/smoke.yaml"],
    ["fetch images", "gone"],
  ])(
    "is refused by eval %s when there is no %s, and those that there are are told",
    async (command, name) => {
      const at = world();
      const rest = command === "run" ? [name, "--output", join(at.folder, "out")] : [name];
      const { code, err } = await pmcoder(at, ["eval", ...command.split(" "), ...rest]);
      expect(code).toBe(2);
      expect(err).toContain(
        `${name}: there is no such file (${join(at.repo, name)}). Name an experiment's file, or one of pmcoder's own: ${ownExperiments().join(", ")}.`,
      );
    },
  );
});
