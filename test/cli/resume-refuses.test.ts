import { EventEmitter } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lives, startPmcoder, until } from "./run-process.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  readText,
  replayOf,
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const local = ["--environment", "local"];
const resume = (at: World, ...more: readonly string[]) => pmcoder(at, ["resume", "last", ...more]);

/** A run that was interrupted before its second step. */
async function interrupted(at: World, ...turns: readonly string[]): Promise<string> {
  const signals = new EventEmitter();
  const stop = (text: string) => {
    if (text.includes("step 1")) signals.emit("SIGINT");
  };
  const args = ["run", issue, "--model", replayOf(at, fix, ...turns), "--yes", ...local];
  expect((await pmcoder(at, args, { signals, watch: stop })).code).toBe(130);
  return onlyRun(at);
}

describe("pmcoder resume", () => {
  it("goes on once: the second of two is refused and told who works on the run", async () => {
    const at = world();
    const sleep = `sleep 300.${process.pid}1`;
    const folder = await interrupted(at, sleep, submit);
    const first = startPmcoder(at, ["resume", "last", "--yes"]);
    await until(() => lives(sleep), first);
    const events = await eventsOf(folder);
    const second = await resume(at, "--yes");
    expect(second.code).toBe(2);
    expect(second.err).toMatch(
      new RegExp(
        `Process ${first.child.pid} on \\S+ works on run \\S+ since .*kill ${first.child.pid}`,
      ),
    );
    expect(await eventsOf(folder)).toEqual(events);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(143);
    expect((await resume(at, "--yes")).code).toBe(0);
    expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
  });

  it("has one winner of many that start at once", { timeout: 90_000 }, async () => {
    const at = world();
    const sleep = `sleep 300.${process.pid}2`;
    const folder = await interrupted(at, sleep, submit);
    const all = Array.from({ length: 4 }, () => startPmcoder(at, ["resume", "last", "--yes"]));
    const codes: unknown[] = [];
    const ended = all.map((one) => one.ended.then((code) => codes.push(code)));
    await expect.poll(() => codes, { timeout: 60_000 }).toEqual([2, 2, 2]);
    await expect.poll(() => lives(sleep), { timeout: 20_000 }).toBe(true);
    for (const { child } of all) child.kill("SIGINT");
    await Promise.all(ended);
    expect(codes).toEqual([2, 2, 2, 130]);
    const began = (await eventsOf(folder)).filter(({ type }) => type === "resume");
    expect(began).toHaveLength(1);
  });

  it("does not go on with a run that has ended", async () => {
    const at = world();
    await runIssue(at, replayOf(at, fix, submit), ...local);
    const before = await eventsOf(onlyRun(at));
    const { code, err } = await resume(at, "--yes", "--step-limit", "999");
    expect(code).toBe(2);
    expect(err).toMatch(/Run \S+ has ended: submitted\. There is nothing to go on with/);
    expect(await eventsOf(onlyRun(at))).toEqual(before);
    expect(namesIn(join(onlyRun(at), "snapshots"))).toEqual([]);
  });

  it("goes on beyond a limit that is raised, and names the flag that raises it", async () => {
    const at = world();
    const model = replayOf(at, fix, "ls", "cat answer.py", submit);
    expect((await runIssue(at, model, ...local, "--step-limit", "2")).code).toBe(3);
    const folder = onlyRun(at);
    for (const flags of [[], ["--step-limit", "2"], ["--cost-limit", "9"]]) {
      const { code, err } = await resume(at, "--yes", ...flags);
      expect(code).toBe(2);
      expect(err).toMatch(/has ended: step_limit\. Give it a higher one than 2 .*--step-limit N/);
    }
    const { code, err } = await resume(at, "--yes", "--step-limit", "6");
    expect(code).toBe(0);
    expect(err).toContain("the model is told that the limit was raised");
    expect(summaryIn(folder)).toMatchObject({ exit_status: "submitted", exit_code: 0, steps: 4 });
  });

  it("asks for consent again, and changes nothing without it", async () => {
    const at = world();
    const folder = await interrupted(at, submit);
    const before = await eventsOf(folder);
    const { code, err } = await resume(at);
    expect(code).toBe(2);
    expect(err).toContain("or pass --yes");
    expect(await eventsOf(folder)).toEqual(before);
    expect(copiesOf(at)).toHaveLength(1);
    expect((await resume(at, "--yes")).code).toBe(0);
  });

  it("finds a run by its output folder and by a prefix, and prints what it does as JSON", async () => {
    const at = world();
    const folder = await interrupted(at, submit);
    const before = (await eventsOf(folder)).length;
    const { code, out } = await pmcoder(at, ["resume", folder, "--yes", "--json"]);
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: "resume", seq: before, rebuilt: false });
    expect(lines.at(-1)).toEqual(summaryIn(folder));
  });

  it("trusts the journal, whatever became of the summary", async () => {
    const at = world();
    const folder = await interrupted(at, submit);
    writeFileSync(join(folder, "summary.json"), '{"run": 1}}');
    const named = await pmcoder(at, ["resume", folder, "--yes"]);
    expect(named.code).toBe(1);
    expect(named.err).toContain(`Cannot read ${join(folder, "summary.json")}`);
    expect((await resume(at, "--yes")).code).toBe(0);
    expect(summaryIn(folder).exit_status).toBe("submitted");
    const unknown = await pmcoder(at, ["resume", "2020", "--yes"]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('No run starts with "2020"');
  });

  it("writes what is missing of a run that was killed after its end was recorded", async () => {
    const at = world();
    await runIssue(at, replayOf(at, fix, submit), ...local);
    const folder = onlyRun(at);
    const [summary, trajectory] = [summaryIn(folder), readText(folder, "trajectory.json")];
    const unfinished = { ...summary, exit_status: "running", exit_code: null };
    writeFileSync(join(folder, "summary.json"), JSON.stringify(unfinished));
    rmSync(join(folder, "trajectory.json"));
    const copy = join(at.home, ".cache/pmcoder/work", summary.run, "project");
    mkdirSync(copy, { recursive: true });
    const { code, err, out } = await resume(at, "--json");
    expect(code).toBe(0);
    expect(err).toContain("had ended before its files were written: submitted.");
    expect(JSON.parse(out)).toEqual(summary);
    expect(summaryIn(folder)).toEqual(summary);
    expect(readText(folder, "trajectory.json")).toBe(trajectory);
    expect(copiesOf(at)).toEqual([]);
    expect((await resume(at)).code).toBe(2);
  });
});
