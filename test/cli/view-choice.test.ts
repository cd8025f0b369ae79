import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { evalRun, resultLines } from "./eval/world.ts";
import { pmcoder, type World, world } from "./run-world.ts";

const fixtures = resolve("test/fixtures/trajectories");

/** Carries out the command that a refusal gives to copy; its exit status. */
async function follow(at: World, err: string): Promise<number> {
  const [, line = ""] = /^.*Name one: pmcoder (.*)$/m.exec(err) ?? [];
  const { code } = await pmcoder(at, line.split(" "));
  return code;
}

describe("a page of too many episodes is refused", () => {
  it("for an experiment: each run by its own name, and a command that works", async () => {
    const at = world();
    const trial = { instances: ["a__a-1"], arms: ["baseline", "full"], seeds: "1-2" };
    const { output } = await evalRun(at, trial);
    const { code, err } = await pmcoder(at, ["view", output, "--export", "x.html"]);
    expect(code).toBe(2);
    expect(err).toContain("A page holds one episode, or two beside each other; there are 4:");
    for (const { run, arm } of resultLines(output)) {
      expect(err).toMatch(new RegExp(`^  ${run} +${arm} +a__a-1$`, "m"));
    }
    expect(err).toMatch(/Name one: pmcoder view trial-\S+ --state ..\/out --export x.html$/m);
    expect(await follow(at, err)).toBe(0);
    expect(existsSync(join(at.repo, "x.html"))).toBe(true);
  });

  it("for files: each by its path, one of several episodes by its instance too", async () => {
    const at = world();
    mkdirSync(join(at.repo, "runs"));
    const names = ["openhands.jsonl", "mini-v1.traj.json"];
    for (const name of names) copyFileSync(join(fixtures, name), join(at.repo, "runs", name));
    const paths = names.map((name) => `runs/${name}`);
    const { code, err } = await pmcoder(at, ["view", ...paths, "--export", "x.html"]);
    expect(code).toBe(2);
    expect(err).toMatchInlineSnapshot(`
      "pmcoder: A page holds one episode, or two beside each other; there are 3:
        file                              format        instance
        runs/openhands.jsonl           openhands  shapes__area-7
        runs/openhands.jsonl           openhands   shapes/area#7
        runs/mini-v1.traj.json  mini-swe-agent-1  shapes__area-7
      Name one: pmcoder view runs/openhands.jsonl --instance shapes__area-7 --export x.html
      "
    `);
    expect(await follow(at, err)).toBe(0);
  });

  it("with eight of them named", async () => {
    const at = world();
    const paths = Array.from({ length: 10 }, () => join(fixtures, "mini-v1.traj.json"));
    const { err } = await pmcoder(at, ["view", ...paths, "--export", "x.html"]);
    expect(err.match(/^ {2}\S*mini-v1.traj.json/gm)).toHaveLength(8);
    expect(err).toContain("  … and 2 more\n");
  });
});
