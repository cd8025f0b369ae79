import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fix, onlyRun, pmcoder, readText, replayOf, runIssue, submit, world } from "./run-world.ts";

describe("pmcoder export", () => {
  it("writes a run as ATIF, to standard output or a file, named in any way", async () => {
    const at = world();
    await runIssue(at, replayOf(at, "cat answer.py", fix, submit), "--environment", "local");
    const { code, out, err } = await pmcoder(at, ["export", "last"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { schema_version, steps, extra } = JSON.parse(out);
    expect(schema_version).toBe("ATIF-v1.7");
    expect(steps.filter((step: object) => "tool_calls" in step)).toHaveLength(3);
    expect(extra.patch.files).toEqual(["answer.py"]);
    const file = join(at.folder, "logs", "trajectory.json");
    const named = await pmcoder(at, ["export", onlyRun(at), "--output", file]);
    expect(named).toEqual({ code: 0, out: "", err: "" });
    expect(readText(file)).toBe(out);
  });

  it("says what is missing", async () => {
    const at = world();
    const none = await pmcoder(at, ["export", "last"]);
    expect(none.code).toBe(2);
    expect(none.err).toContain('No run "last"');
    await runIssue(at, replayOf(at, submit), "--environment", "local");
    const folder = onlyRun(at);
    rmSync(join(at.repo, ".pmcoder", "pmcoder.db"));
    const gone = await pmcoder(at, ["export", folder]);
    expect(gone.code).toBe(2);
    expect(gone.err).toMatch(/pmcoder\.db, which is gone/);
  });
});
