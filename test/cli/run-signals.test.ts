import { EventEmitter } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import { gone, hasBubblewrap, kinds, lives, printed, startPmcoder, until } from "./run-process.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  readText,
  replayOf,
  runFolders,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

/** A command that prints a word and then waits, with a length that tells it from any other. */
function longCommand() {
  const sleep = `sleep 300.${process.pid}${Math.floor(Math.random() * 1e6)}`;
  return { sleep, command: `echo begun; ${sleep}` };
}

/** A run that has repaired the file and stands in a command that does not end by itself. */
async function inCommand(at: World, kind: string) {
  const { sleep, command } = longCommand();
  const model = replayOf(at, fix, command, submit);
  const args = ["run", issue, "--model", model, "--environment", kind, "--yes"];
  const running = startPmcoder(at, args);
  const begun = () => runFolders(at).some((folder) => printed(join(folder, "outputs"), "begun\n"));
  await until(() => begun() && lives(sleep), running);
  return { ...running, sleep, folder: onlyRun(at) };
}

/** Puts a program before all others on PATH that waits once `when` exists, and says so. */
function slowProgram(at: World, name: string, when: string) {
  const { sleep } = longCommand();
  const entered = join(at.folder, "entered");
  const path = put(
    at,
    `bin/${name}`,
    `#!/bin/sh
PATH=\${PATH#*:}
[ -e '${when}' ] && { : > '${entered}'; ${sleep}; }
exec ${name} "$@"
`,
  );
  chmodSync(path, 0o755);
  return {
    sleep,
    entered: () => existsSync(entered),
    env: { PATH: `${join(at.folder, "bin")}:${process.env["PATH"]}` },
  };
}

describe("a signal", () => {
  const cases = kinds.flatMap((kind) => [
    { kind, signal: kind === "local" ? ("SIGTERM" as const) : ("SIGINT" as const) },
  ]);
  if (!hasBubblewrap) cases.push({ kind: "local", signal: "SIGINT" });

  it.each(cases)(
    "$signal while a command runs in $kind: keeps all that there is, and ends",
    async ({ kind, signal }) => {
      const at = world();
      const { child, ended, err, sleep, folder } = await inCommand(at, kind);
      child.kill(signal);
      const code = signal === "SIGINT" ? 130 : 143;
      expect(await ended).toBe(code);
      expect(err()).toMatch(/^interrupted by the user$/m);
      expect(lives(sleep)).toBe(false);
      expect(copiesOf(at)).toEqual([basename(folder)]);
      expect(summaryIn(folder)).toMatchObject({
        exit_status: "interrupted",
        exit_code: code,
        steps: 2,
        patch: { files: ["answer.py"], applies: true },
      });
      expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
      const observed = (await eventsOf(folder)).filter(({ type }) => type === "observation");
      expect(observed.at(-1)).toMatchObject({ output: "begun\n", interrupted: true });
    },
  );

  it("while the model is asked, ends the call", async () => {
    const at = world();
    const signals = new EventEmitter();
    const server = await openaiServer();
    const command = JSON.stringify({ command: fix });
    server.answer(reply({ calls: [{ id: "a", name: "bash", arguments: command }] }), () => {
      signals.emit("SIGINT");
    });
    const base = ["--base-url", `${server.url}/v1`, "-c", "planner.on=false"];
    const args = ["run", issue, "--model", "openai:a", ...base, "--yes"];
    expect((await pmcoder(at, args, { signals })).code).toBe(130);
    await server.close();
    expect(summaryIn(onlyRun(at))).toMatchObject({
      exit_status: "interrupted",
      steps: 1,
      patch: { files: ["answer.py"] },
    });
  });

  it("a second one leaves at once, and nothing runs on", async () => {
    const at = world();
    const flag = join(at.folder, "flag");
    const git = slowProgram(at, "git", flag);
    const { sleep, command } = longCommand();
    const model = replayOf(at, `${fix}; touch '${flag}'; ${command}`, submit);
    const args = ["run", issue, "--model", model, "--environment", "local", "--yes"];
    const running = startPmcoder(at, args, git);
    await until(() => existsSync(flag) && lives(sleep), running);
    running.child.kill("SIGINT");
    await until(git.entered, running);
    running.child.kill("SIGINT");
    expect(await running.ended).toBe(130);
    await gone(git.sleep);
    await gone(sleep);
    expect(summaryIn(onlyRun(at)).exit_status).toBe("running");
  });
});

describe("a signal before the run has begun", () => {
  it("leaves nothing while copying", async () => {
    const at = world();
    const cp = slowProgram(at, "cp", at.repo);
    const args = ["run", issue, "--model", replayOf(at, submit), "--yes"];
    const running = startPmcoder(at, args, cp);
    await until(cp.entered, running);
    running.child.kill("SIGTERM");
    expect(await running.ended).toBe(143);
    expect(running.err()).toMatch(/^pmcoder: Interrupted\. What was running has been ended\.$/m);
    expect(lives(cp.sleep)).toBe(false);
    expect(copiesOf(at)).toEqual([]);
    expect(runFolders(at)).toEqual([]);
  });

  it("ends a question for the issue", async () => {
    const at = world();
    const args = ["run", "--issue", "-", "--model", replayOf(at, submit), "--yes"];
    const { child, ended } = startPmcoder(at, args);
    child.stdin?.write("The answer");
    setTimeout(() => child.kill("SIGINT"), 300);
    expect(["SIGINT", 130]).toContain(await ended);
    expect(namesIn(join(at.repo, ".pmcoder"))).toEqual([]);
  });
});

describe("a run that is killed", () => {
  it.each(kinds)("in %s: has the command in its journal, and no process is left", async (kind) => {
    const at = world();
    const { child, ended, sleep, folder } = await inCommand(at, kind);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    await gone(sleep);
    const last = (await eventsOf(folder)).at(-1);
    expect(last).toMatchObject({ type: "command", step: 2, command: `echo begun; ${sleep}` });
    expect(summaryIn(folder)).toMatchObject({ exit_status: "running", exit_code: null });
  });
});
