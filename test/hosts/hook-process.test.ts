import { type ChildProcess, spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostFindings } from "../../src/cli/doctor-hosts.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { replayEpisode } from "../../src/eval/replay.ts";
import { withoutAngles } from "../../src/hosts/hook-answer.ts";
import { stateFolderOf } from "../../src/store/state-folder.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { bundledPmcoder } from "./bundled-pmcoder.ts";
import { mendingEvents, shell } from "./events.ts";
import { contextIn, hookRepository, namesIn, readIn } from "./hook-world.ts";

/** Time enough on a busy machine; the default is for users. */
const patient = { PMCODER_HOOK_MS: "60000" };

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A hook as a host starts it. `text` null: its input stays open. */
function startHook(repo: string, text: string | null, env: Record<string, string> = patient) {
  const child = spawn(process.execPath, [bundledPmcoder(), "hook", "qwen-code"], {
    cwd: repo,
    env: { HOME: repo, PATH: process.env["PATH"], ...env },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  if (text !== null) child.stdin.end(text);
  return { child, ended: endOf(child) };
}

function endOf(child: ChildProcess): Promise<Ended> {
  const parts = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => (parts.out += chunk));
  child.stderr?.on("data", (chunk) => (parts.err += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...parts })));
}

const silence: Ended = { code: 0, out: "", err: "" };

describe("pmcoder hook as a process", () => {
  it("keeps a session over its processes and says what a replay says", async () => {
    const repo = hookRepository();
    const said: (string | null)[] = [];
    for (const fields of mendingEvents(repo).slice(0, 5)) {
      const { code, out, err } = await startHook(repo, JSON.stringify(fields)).ended;
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(/^(?:\{.*\}\n)?$/);
      said.push(contextIn(out));
    }
    const [episode] = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    if (!episode) throw new Error("no episode");
    const { turns } = replayEpisode(episode, { config: RunConfig.parse({}), now: () => 0 });
    const blocks = turns.map(({ advice }) => advice.at(-1)?.block ?? null);
    expect(said.slice(1)).toEqual(blocks.map((block) => block && withoutAngles(block)));
    expect(said.filter((block) => block !== null)).toHaveLength(3);
  }, 60_000);

  it("is safe with calls at once, one of them told three times", async () => {
    const repo = hookRepository();
    const calls = ["a", "b", "c", "d", "a", "a"].map((name) =>
      shell({ id: name, command: `cat src/${name}.js`, output: name }, { cwd: repo }),
    );
    const ended = await Promise.all(
      calls.map((fields) => startHook(repo, JSON.stringify(fields)).ended),
    );
    expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(
      calls.map(() => ({ code: 0, err: "" })),
    );
    const [episode] = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    if (!episode) throw new Error("no episode");
    const commands = episode.turns.map(({ calls: [call] }) => call?.command);
    expect(commands.toSorted()).toEqual(["a", "b", "c", "d"].map((name) => `cat src/${name}.js`));
    const { turns } = replayEpisode(episode, { config: RunConfig.parse({}), now: () => 0 });
    const blocks = turns.flatMap(({ advice }) => advice.at(-1)?.block ?? []);
    expect(ended.flatMap(({ out }) => contextIn(out) ?? []).toSorted()).toEqual(blocks.toSorted());
    expect(namesIn(repo).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  }, 60_000);

  it("fails nobody, whatever it is given, and doctor says what was wrong", async () => {
    const repo = hookRepository();
    const texts = [
      '{"session_id":"s-1","cw',
      "",
      JSON.stringify({ hook_event_name: "Dreamt", session_id: "s", cwd: repo }),
    ];
    for (const text of texts) expect(await startHook(repo, text).ended).toEqual(silence);
    const found = hostFindings(stateFolderOf(repo)).map(({ found: text }) =>
      text.replace(/^.*?: /, ""),
    );
    expect(found.toSorted()).toEqual([
      "an event that is not known: Dreamt",
      'no JSON object on standard input but ""',
      'no JSON object on standard input but "{\\"session_id\\":\\"s-1\\",\\"cw"',
    ]);
  }, 60_000);

  it("ends by itself before a host would end it, and the call is not lost", async () => {
    const repo = hookRepository();
    const [, call] = mendingEvents(repo);
    expect(await startHook(repo, null, { PMCODER_HOOK_MS: "500" }).ended).toEqual(silence);
    expect(await startHook(repo, JSON.stringify(call), { PMCODER_HOOK_MS: "1" }).ended).toEqual(
      silence,
    );
    expect(
      await startHook(repo, JSON.stringify(call), { PMCODER_HOOK_MS: "x" }).ended,
    ).toMatchObject({ code: 0, err: "" });
  }, 60_000);

  it("leaves a session whole when hosts kill it at any moment", async () => {
    const repo = hookRepository();
    const ids = Array.from({ length: 5 }, (_, n) => `k${n}`);
    for (const [n, id] of ids.entries()) {
      const fields = shell({ id, command: `cat src/${id}.js` }, { cwd: repo });
      const { child, ended } = startHook(repo, JSON.stringify(fields));
      setTimeout(() => child.kill("SIGKILL"), 100 * n);
      await ended;
    }
    const last = shell({ id: "last", command: "ls" }, { cwd: repo });
    expect(await startHook(repo, JSON.stringify(last)).ended).toMatchObject({ code: 0, err: "" });
    const [episode] = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    const known = (episode?.turns ?? []).map(({ calls: [call] }) => call?.id ?? "");
    expect(known).toEqual([...ids.filter((id) => known.includes(id)), "last"]);
  }, 60_000);

  it("says and writes nothing when it is switched off", async () => {
    const repo = hookRepository();
    const off = { ...patient, PMCODER_HOOKS: "off" };
    for (const fields of mendingEvents(repo).slice(0, 2)) {
      expect(await startHook(repo, JSON.stringify(fields), off).ended).toEqual(silence);
    }
    expect(() => namesIn(repo)).toThrow("ENOENT");
  }, 60_000);
});
