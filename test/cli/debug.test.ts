import { describe, expect, it } from "vitest";
import { startAtTerminal } from "./debug-session.ts";
import {
  eventsOf,
  fix,
  issue,
  onlyRun,
  pmcoder,
  readText,
  replayOf,
  runFolders,
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const debugged = (at: World, model: string, ...more: readonly string[]) =>
  startAtTerminal(at, ["run", issue, "--model", model, "--yes", ...more]);

async function commandsIn(at: World): Promise<readonly string[]> {
  const events = await eventsOf(onlyRun(at));
  return events.flatMap((event) => (event.type === "command" ? [event.command] : []));
}

describe("pmcoder run --debug", () => {
  it("stops before every command, which may be looked at, changed, skipped or preceded", async () => {
    const at = world();
    const model = replayOf(at, "cat answer.py", "rm answer.py", "false", submit);
    const { answer, ended, shown } = debugged(at, model, "--debug");
    expect(await answer("p")).toContain(
      "“Turn 1.”\nstopped at step 1, before\n    cat answer.py\n",
    );
    expect(await answer("m")).toMatch(/^phase {5}explore; turned back 0 times\n> p1 /);
    expect(await answer("r")).toMatch(/^messages {2}1\n {2}#1 step 0 user: The answer is wrong/);
    expect(await answer("h")).toMatch(/^words .*\nfiles .*\npolicy .*\nrecalled /);
    expect(await answer("")).toContain("e TEXT     run TEXT in its place; the model is told\n");
    expect(await answer("k")).toContain("stopped at step 2, before\n    rm answer.py\n");
    expect(await answer(`a ${fix}; echo mine`)).toContain("stopped at step 3");
    expect(await answer("e git diff --stat")).toContain("    mine\nexit 0\n");
    await answer("c");
    expect(await ended).toBe(0);
    expect(await commandsIn(at)).toEqual([
      "cat answer.py",
      "rm answer.py",
      "git diff --stat",
      submit,
    ]);
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
    expect(shown()).toContain(`The user runs: ${fix}; echo mine\n`);
    const told = readText(onlyRun(at), "trajectory.json");
    for (const words of ["user skipped this command", "in place of yours", "command of their own"])
      expect(told).toContain(words);
  });

  it("stops at breakpoints, which are added and deleted on the way", async () => {
    const at = world();
    const model = replayOf(at, "ls", "true", "cat answer.py", "false", fix, submit);
    const { answer, ended } = debugged(at, model, "--break", "step=2");
    expect(await answer("b file=answer.py")).toContain("stopped at step 2 (step=2), before\n");
    expect(await answer("b nowhere")).toBe("1  step=2\n2  file=answer.py\n");
    expect(await answer("d 1")).toMatch(/^Expected step=N/);
    expect(await answer("c")).toBe("1  file=answer.py\n");
    expect(await answer("b stuck")).toContain("stopped at step 3 (file=answer.py), before");
    expect(await answer("l")).toBe("1  file=answer.py\n2  stuck\n");
    expect(await answer("c")).toBe("1  file=answer.py\n2  stuck\n");
    expect(await answer("c")).toContain("stopped at step 5 (file=answer.py), before");
    expect(await ended).toBe(0);
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
  });

  it.each(["quit", "Ctrl-C", "closed terminal"])("is left by %s, and goes on", async (how) => {
    const at = world();
    const { answer, ended, interrupt, hangUp } = debugged(
      at,
      replayOf(at, fix, submit),
      ...["--debug", "-c", "environment.env.APP_PASSWORD=correct-horse-battery"],
    );
    if (how === "quit") await answer("q");
    else {
      await answer("l");
      if (how === "Ctrl-C") interrupt();
      else hangUp();
    }
    expect(await ended).toBe(130);
    expect(await commandsIn(at)).toEqual([]);
    replayOf(at, fix, `echo "[$APP_PASSWORD]" > seen`, submit);
    const { code, err } = await pmcoder(at, ["resume", "last", "--yes"]);
    expect(code).toBe(0);
    expect(err).toContain("Not set for commands from here on: APP_PASSWORD.");
    const patch = readText(onlyRun(at), "patch.diff");
    expect(patch).toContain("+answer = 42\n");
    expect(patch).toContain("+[]\n");
    expect(summaryIn(onlyRun(at))).toMatchObject({ exit_status: "submitted", steps: 3 });
  });

  it("can take up a run, without plan and memory too", async () => {
    const at = world();
    const model = replayOf(at, fix, "false", submit);
    await runIssue(at, model, "--no-planner", "--no-memory", "--step-limit", "1");
    const args = ["resume", "last", "--yes", "--step-limit", "9", "--break", "step=3"];
    const { answer, ended } = startAtTerminal(at, args);
    expect(await answer("p")).toContain("stopped at step 3 (step=3), before\n");
    expect(await answer("r")).toBe("Planner and memory are off in this run.\n");
    expect(await answer("s")).toBe("Planner and memory are off in this run.\n");
    expect(await ended).toBe(0);
    expect(runFolders(at)).toHaveLength(1);
  });

  it("is refused where nobody is at the terminal", async () => {
    const at = world();
    const { code, err } = await runIssue(at, replayOf(at, submit), "--debug");
    expect(code).toBe(2);
    expect(err).toContain("--debug asks at the terminal what to do with each command");
    expect(runFolders(at)).toEqual([]);
  });

  it("is told of a breakpoint that is none", async () => {
    const { code, err } = await runIssue(world(), "replay:none", "--break", "phase=later");
    expect(code).toBe(2);
    expect(err).toContain("Expected step=N, phase=explore|");
  });
});
