import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { redactorOf } from "../../src/domain/redact.ts";
import { replayEpisode } from "../../src/eval/replay.ts";
import { answerHook } from "../../src/hosts/hook.ts";
import { withoutAngles } from "../../src/hosts/hook-answer.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { batch, event, mendingEvents, prompt, shell } from "./events.ts";
import {
  contextIn,
  hookRepository,
  hookWorld,
  readIn,
  sessionsIn,
  shown,
  troubleIn,
} from "./hook-world.ts";

const stateOf = (repo: string) => JSON.parse(readIn(repo, "s-1.state.json")).state;

async function tellAll(events: readonly object[], world: ReturnType<typeof hookWorld>) {
  const said: (string | null)[] = [];
  for (const one of events) said.push(contextIn(await answerHook(JSON.stringify(one), world)));
  return said;
}

describe("a hook", () => {
  it("shows the model what is due, after the call that brought it", async () => {
    const repo = hookRepository();
    const said = await tellAll(mendingEvents(repo), hookWorld(repo));
    expect(said.map((text) => text?.replaceAll(repo, "REPO") ?? null)).toMatchInlineSnapshot(`
      [
        null,
        "[PLANMEM]
      phase=explore subtask=1/4 "Find the code that the issue is about" done=0/4
      [/PLANMEM]",
        null,
        "[PLANMEM]
      phase=hypothesize subtask=2/4 "State the root cause" done=1/4 files=src/parse.js(1)
      [/PLANMEM]",
        "[PLANMEM]
      phase=implement subtask=3/4 "Make the smallest change that removes the root cause" done=2/4 files=src/parse.js(2)
      mem #3 src/parse.js: src/parse.js:3: minutes
      [/PLANMEM]",
        "[PLANMEM]
      phase=verify done=4/4 files=src/parse.js(2)
      mem #5 src/parse.js: export const parse = (h, m) =› h * 60;
      mem #4 src/parse.js: cat REPO/src/parse.js
      [/PLANMEM]",
      ]
    `);
    expect(troubleIn(repo)).toEqual([]);
  });

  it("says what a replay of the session's log says", async () => {
    const repo = hookRepository();
    const [, ...said] = await tellAll(mendingEvents(repo), hookWorld(repo));
    const [episode] = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    if (!episode) throw new Error("no episode");
    const { turns } = replayEpisode(episode, { config: RunConfig.parse({}), now: () => 0 });
    const replayed = turns.map(({ advice }) => advice.at(-1)?.block ?? null);
    expect(replayed.map((block) => block && withoutAngles(block))).toEqual(said);
    expect(turns.map(({ phase }) => phase)).toEqual([
      "explore",
      "explore",
      "hypothesize",
      "implement",
      "verify",
    ]);
  });

  it("prints one object, in the nested and the flat form, without angle brackets", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    const answers: (string | null)[] = [];
    for (const one of mendingEvents(repo))
      answers.push(await answerHook(JSON.stringify(one), world));
    const answer = answers.at(-1) ?? "";
    const { hookSpecificOutput, additionalContext } = JSON.parse(answer);
    expect(hookSpecificOutput).toEqual({ hookEventName: "PostToolUse", additionalContext });
    expect(answer).not.toMatch(/[<>]/);
    expect(additionalContext).toContain("(h, m) =› h * 60;");
  });

  it("counts a call once that is told twice", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    const call = { id: "c1", command: "ls src", output: "a.js" };
    expect(await shown(shell(call), world)).toContain("phase=explore");
    expect(await shown(batch(call), world)).toBeNull();
    expect(await shown(shell(call), world)).toBeNull();
    expect(
      await shown(batch({ id: "c2", command: "cat src/a.js", output: "1" }), world),
    ).toBeNull();
    const [episode] = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    expect(episode?.turns.map(({ calls }) => calls[0]?.command)).toEqual([
      "ls src",
      "cat src/a.js",
    ]);
  });

  it("tells calls apart that a model server gave one id", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    for (const name of ["a", "b"])
      await shown(shell({ id: "call_0", command: `cat ${name}` }), world);
    expect(readTrajectories(readIn(repo, "s-1.jsonl"), "x")[0]?.turns).toHaveLength(2);
  });

  it("leaves out a call of a batch of which nothing ran", async () => {
    const repo = hookRepository();
    const [call] =
      (batch({ id: "c1", command: "sleep 9", code: 1 })["tool_calls"] as object[]) ?? [];
    const refused = {
      ...call,
      tool_response: { response_parts: [{ functionResponse: { response: { error: "refused" } } }] },
    };
    expect(
      await shown(event("PostToolBatch", { tool_calls: [refused] }), hookWorld(repo)),
    ).toBeNull();
    expect(() => readIn(repo, "s-1.jsonl")).toThrow("ENOENT");
  });

  it("keeps sessions apart that work in one folder", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    for (const session_id of ["one", "two"]) {
      await shown(prompt(`task of ${session_id}`, { session_id }), world);
      expect(await shown(shell({ id: "c1", command: "ls" }, { session_id }), world)).toContain(
        "phase=explore",
      );
    }
    expect(readIn(repo, "one.jsonl")).toContain("task of one");
    expect(readIn(repo, "two.jsonl")).not.toContain("task of one");
  });

  it("leaves the calls of a sub-agent alone", async () => {
    const repo = hookRepository();
    const call = shell({ id: "c1", command: "ls" }, { agent_id: "sub-1" });
    expect(await shown(call, hookWorld(repo))).toBeNull();
    expect(() => readIn(repo, "s-1.jsonl")).toThrow("ENOENT");
  });

  it("goes on with the work at a further prompt, and begins anew once its plan is done", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    const steps = mendingEvents(repo);
    await tellAll(steps.slice(0, 4), world);
    await shown(prompt("go on"), world);
    await shown(prompt(""), world);
    await tellAll(steps.slice(4), world);
    await shown(prompt("now print seconds too"), world);
    await shown(shell({ id: "d1", command: "ls" }), world);
    const episodes = readTrajectories(readIn(repo, "s-1.jsonl"), "s-1.jsonl");
    expect(episodes.map(({ task, turns }) => [task, turns.length])).toEqual([
      ["parse() drops the minutes: 1:30 gives 60", 5],
      ["now print seconds too", 1],
    ]);
  });

  it("may show again what it has shown, once the host has compacted the conversation", async () => {
    const repo = hookRepository();
    const world = hookWorld(repo);
    await tellAll(mendingEvents(repo), world);
    expect(stateOf(repo).substrate.injection.shown).not.toEqual([]);
    const greeting = await shown(event("SessionStart", { source: "compact" }), world);
    expect(greeting).toContain("PLANMEM");
    await tellAll([shell({ id: "e1", command: "ls" })], world);
    const lines = readIn(repo, "s-1.jsonl").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type).slice(-2)).toEqual(["compacted", "step"]);
  });

  it("writes no secret down", async () => {
    const repo = hookRepository();
    const redact = redactorOf([{ name: "GH_TOKEN", value: "s3cr3t-value" }]);
    const call = shell({ id: "c1", command: "env", output: "GH_TOKEN=s3cr3t-value" });
    await shown(call, hookWorld(repo, { redact }));
    expect(readIn(repo, "s-1.jsonl")).toContain("[redacted:GH_TOKEN]");
    expect(readFileSync(`${sessionsIn(repo)}/s-1.jsonl`, "utf8")).not.toContain("s3cr3t");
    await answerHook('{"half": "s3cr3t-value', hookWorld(repo, { redact }));
    expect(readIn(repo, "trouble.log")).toContain("[redacted:GH_TOKEN]");
    expect(statSync(`${sessionsIn(repo)}/trouble.log`).mode & 0o077).toBe(0);
  });
});
