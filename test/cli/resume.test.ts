import { EventEmitter } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import { silence } from "../loopback/server.ts";
import { gone, hasBubblewrap, kinds, printed, startPmcoder, until } from "./run-process.ts";
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
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const resume = (at: World, ...more: readonly string[]) =>
  pmcoder(at, ["resume", "last", "--yes", ...more]);

const bash = (id: string, command: string) => ({
  calls: [{ id, name: "bash", arguments: JSON.stringify({ command }) }],
});

/** A run that has repaired the file and stands in a command, which has left a mark. */
async function inCommand(at: World, kind: string, mark: string) {
  const sleep = `sleep 300.${process.pid}${Math.floor(Math.random() * 1e6)}`;
  const model = replayOf(
    at,
    fix,
    `echo once >> ${mark}; echo begun; ${sleep}`,
    `cat ${mark}`,
    submit,
  );
  const args = ["run", issue, "--model", model, "--environment", kind, "--yes"];
  const running = startPmcoder(at, args);
  const begun = () => runFolders(at).some((folder) => printed(join(folder, "outputs"), "begun\n"));
  await until(begun, running);
  return { ...running, sleep, folder: onlyRun(at) };
}

const outputsIn = (events: readonly EpisodeEvent[]) =>
  events.flatMap((event) => (event.type === "observation" ? [event.output] : []));
const resumesIn = (events: readonly EpisodeEvent[]) =>
  events.flatMap((event) => (event.type === "resume" ? [event.rebuilt] : []));

describe("a run that is interrupted within a command goes on", () => {
  const cases = kinds.flatMap((kind) => [
    { kind, signal: "SIGINT" as const, code: 130, next: 3 },
    { kind, signal: "SIGKILL" as const, code: "SIGKILL", next: 2 },
  ]);

  it.each(cases)(
    "after $signal in $kind, with all that it had",
    async ({ kind, signal, code, next }) => {
      const at = world();
      // Neither in the repository nor in a folder of this machine's that outlives the test.
      const mark = kind === "local" ? join(at.folder, "mark") : "/tmp/mark";
      const { child, ended, sleep, folder } = await inCommand(at, kind, mark);
      child.kill(signal);
      expect(await ended).toBe(code);
      await gone(sleep);
      expect(copiesOf(at)).toHaveLength(1);
      const before = await eventsOf(folder);
      const { code: resumed, err } = await resume(at);
      expect(resumed).toBe(0);
      expect(err).toMatch(new RegExp(`^run \\S+ goes on where it was, at step ${next}$`, "m"));
      const events = await eventsOf(folder);
      expect(events.slice(0, before.length)).toEqual(before);
      expect(resumesIn(events)).toEqual([false]);
      const cut = signal === "SIGINT" ? "begun\n" : "(nothing of its output was kept)";
      expect(outputsIn(events)).toEqual(["", cut, "once\n", expect.stringContaining("SUBMIT")]);
      expect(summaryIn(folder)).toMatchObject({ exit_status: "submitted", steps: 4 });
      expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
      expect(copiesOf(at)).toEqual([]);
      expect(namesIn(join(folder, "snapshots"))).toEqual([]);
    },
  );
});

describe("a run that is interrupted while the model is asked", () => {
  it("ends with 143 at SIGTERM, its steps on disk, and asks that again alone", async () => {
    const at = world();
    const signals = new EventEmitter();
    const server = await openaiServer();
    server.answer(reply(bash("a", fix)), (response) => {
      silence(response);
      signals.emit("SIGTERM");
    });
    const base = ["--base-url", `${server.url}/v1`, "-c", "planner.on=false"];
    const args = ["run", issue, "--model", "openai:a", ...base, "--yes"];
    expect((await pmcoder(at, args, { signals })).code).toBe(143);
    const folder = onlyRun(at);
    const ended = { exit_status: "interrupted", exit_code: 143, steps: 1 };
    expect(summaryIn(folder)).toMatchObject({ ...ended, patch: { files: ["answer.py"] } });
    expect(namesIn(join(folder, "snapshots"))).toHaveLength(1);
    server.answer(reply(bash("b", submit)));
    expect((await resume(at)).code).toBe(0);
    expect(server.received[2]?.body).toEqual(server.received[1]?.body);
    expect(server.received).toHaveLength(3);
    await server.close();
    expect(summaryIn(folder)).toMatchObject({ exit_status: "submitted", steps: 2 });
  });
});

describe("a run whose working copy is lost goes on in another one", () => {
  /** A run that was interrupted after a scratch file, an edit and an ignored file. */
  async function interrupted(at: World): Promise<string> {
    put(at, "project/.gitignore", "*.o\n");
    const work = "echo 1 > repro.py; echo 1 > x.o";
    const model = replayOf(at, work, fix, "ls; cat answer.py", submit);
    const { code } = await runIssue(at, model, "--environment", "local", "--step-limit", "2");
    expect(code).toBe(3);
    expect(copiesOf(at)).toEqual([]);
    return onlyRun(at);
  }

  it("with its repository as it was saved, and tells the model", async () => {
    const at = world();
    const folder = await interrupted(at);
    const { code, err } = await resume(at, "--step-limit", "9");
    expect(code).toBe(0);
    expect(err).toContain("the model is told that the environment was built anew");
    const events = await eventsOf(folder);
    expect(resumesIn(events)).toEqual([true]);
    expect(outputsIn(events)[2]).toBe("answer.py\nrepro.py\nanswer = 42\n");
    expect(events).toContainEqual(expect.objectContaining({ type: "remark", about: "rebuilt" }));
    expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
    expect(summaryIn(folder).patch?.files).toEqual(["answer.py"]);
  });

  it("on a repository that has changed meanwhile, as far as the work fits it", async () => {
    const at = world();
    const folder = await interrupted(at);
    put(at, "project/notes.md", "new\n");
    const { code, err } = await resume(at, "--step-limit", "9");
    expect(code).toBe(0);
    expect(err).toContain("The repository has changed since the run began");
    expect(summaryIn(folder).patch?.files).toEqual(["answer.py"]);
    expect((await pmcoder(at, ["apply", "last", "--check"])).code).toBe(0);
  });

  it("and not where the work does not fit any more", async () => {
    const at = world();
    const folder = await interrupted(at);
    put(at, "project/answer.py", "answer = 43\n");
    const before = await eventsOf(folder);
    const { code, err } = await resume(at, "--step-limit", "9");
    expect(code).toBe(2);
    expect(err).toContain("The saved work does not fit the repository any more");
    expect(await eventsOf(folder)).toEqual(before);
    expect(copiesOf(at)).toEqual([]);
    put(at, "project/answer.py", "answer = 41\n");
    expect((await resume(at, "--step-limit", "9")).code).toBe(0);
  });

  it("and says so when what was saved is lost too", async () => {
    const at = world();
    const folder = await interrupted(at);
    rmSync(join(folder, "snapshots"), { recursive: true });
    const { code, err } = await resume(at, "--step-limit", "9");
    expect(code).toBe(1);
    expect(err).toMatch(/The saved work of run \S+ is gone \(snapshots\/\w+\.diff in its output/);
    expect(copiesOf(at)).toEqual([]);
  });
});

describe("a working copy that is not whole", () => {
  it.each([
    { name: "was being removed", lost: ".records" },
    { name: "was removed", lost: "." },
  ])("is made anew when it $name", async ({ lost }) => {
    const at = world();
    const { child, ended, folder } = await inCommand(at, "local", join(at.folder, "mark"));
    child.kill("SIGKILL");
    await ended;
    const [run = ""] = copiesOf(at);
    rmSync(join(at.home, ".cache/pmcoder/work", run, lost), { recursive: true });
    expect((await resume(at)).code).toBe(0);
    expect(resumesIn(await eventsOf(folder))).toEqual([true]);
    expect(readText(folder, "patch.diff")).toContain("+answer = 42\n");
    expect(copiesOf(at)).toEqual([]);
  });
});

describe.runIf(hasBubblewrap)("a sandbox that was lost", () => {
  it("is opened again over the same copy", async () => {
    const at = world();
    const model = replayOf(at, `${fix}; touch new.py`, "touch late.py; kill -9 -1", "ls", submit);
    expect((await runIssue(at, model, "--environment", "bubblewrap")).code).toBe(5);
    const folder = onlyRun(at);
    expect(existsSync(join(folder, "patch.diff"))).toBe(true);
    expect((await resume(at)).code).toBe(0);
    const events = await eventsOf(folder);
    expect(resumesIn(events)).toEqual([false]);
    expect(outputsIn(events).slice(-2)[0]).toBe("answer.py\nlate.py\nnew.py\n");
    expect(summaryIn(folder).patch?.files).toEqual(["answer.py", "late.py", "new.py"]);
  });
});

describe("a run whose model is unavailable", () => {
  it("goes on where it was once there is one", async () => {
    const at = world();
    const model = replayOf(at, `${fix}; touch x.o`);
    put(at, "project/.gitignore", "*.o\n");
    expect((await runIssue(at, model)).code).toBe(6);
    replayOf(at, fix, "ls", submit);
    expect((await resume(at)).code).toBe(0);
    const events = await eventsOf(onlyRun(at));
    expect(resumesIn(events)).toEqual([false]);
    expect(outputsIn(events)[1]).toBe("answer.py\nx.o\n");
  });

  it("leaves no copy when nothing was done in it", async () => {
    const at = world();
    expect((await runIssue(at, replayOf(at))).code).toBe(6);
    expect(copiesOf(at)).toEqual([]);
    replayOf(at, fix, submit);
    expect((await resume(at)).code).toBe(0);
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
  });
});
