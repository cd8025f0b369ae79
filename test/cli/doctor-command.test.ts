import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doctorOf } from "../../src/cli/doctor-command.ts";
import { runCommand } from "./run-command-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("pmcoder doctor", () => {
  it("looks at this very machine, which runs these tests and so has what a run needs", async () => {
    const home = temporaryFolder();
    const { codes, out } = await runCommand(doctorOf, { home, args: ["--json"] });
    const findings = new Map(
      out
        .trimEnd()
        .split("\n")
        .map((line) => [JSON.parse(line).name, JSON.parse(line)]),
    );
    expect([13, 14]).toContain(findings.size);
    for (const name of ["node", "git", "bash", "configuration", "state folder"]) {
      expect(findings.get(name)).toMatchObject({ state: "ok" });
    }
    expect(findings.get("state folder").found).toBe(join(home, ".pmcoder"));
    expect(codes).toEqual([
      [...findings.values()].some(({ state }) => state === "missing") ? 1 : 0,
    ]);
  });

  it("fails when the configuration asks for what is not there", async () => {
    const args = ["-c", "model.name=replay:nowhere.jsonl", "--state", "kept"];
    const { codes, out } = await runCommand(doctorOf, { home: temporaryFolder(), args });
    expect(codes).toEqual([1]);
    expect(out).toMatch(/^missing {3}model .*nowhere\.jsonl/m);
    expect(out).toMatch(/A run is not possible yet: see .*model\.\n$/);
  });
});
