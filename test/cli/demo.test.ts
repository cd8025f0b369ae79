import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startPmcoder } from "./run-process.ts";
import { copiesOf, namesIn, pmcoder, world } from "./run-world.ts";

describe("pmcoder demo", () => {
  it("turns failing tests into passing ones, without a terminal, and leaves nothing", async () => {
    const at = world();
    const tmp = join(at.folder, "tmp");
    mkdirSync(tmp);
    const { child, ended, out, err } = startPmcoder(at, ["demo"], { env: { TMPDIR: tmp } });
    child.stdin?.end();
    expect(await ended).toBe(0);
    expect(out()).toBe("");
    const [, failed] = /^Tests before: \d+ pass, (\d+) fail\.$/m.exec(err()) ?? [];
    expect(Number(failed)).toBeGreaterThan(0);
    expect(err()).toMatch(/^Tests after: \d+ pass, 0 fail\.$/m);
    expect(err()).toContain("bundled replies stand in for a model");
    expect(err()).toMatch(/^\+.*\n/m);
    // The loader of TypeScript keeps a cache of its own there.
    expect(namesIn(tmp).filter((name) => !name.startsWith("tsx-"))).toEqual([]);
    expect(copiesOf(at)).toEqual([]);
    expect(namesIn(at.repo)).toEqual([".git", "answer.py"]);
  });

  it("prints events and the summary with --json", async () => {
    const at = world();
    const tmp = join(at.folder, "tmp");
    mkdirSync(tmp);
    vi.stubEnv("TMPDIR", tmp);
    const { code, out, err } = await pmcoder(at, ["demo", "--json"]).finally(vi.unstubAllEnvs);
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ exit_status: "submitted", exit_code: 0 });
    expect(lines.slice(0, -1).map(({ seq }) => seq)).toEqual(lines.slice(0, -1).map((_, n) => n));
    expect(err).toMatch(/^Tests after: \d+ pass, 0 fail\.$/m);
    expect(namesIn(tmp)).toEqual([]);
  });
});
