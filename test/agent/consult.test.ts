import { describe, expect, it } from "vitest";
import type { Decide, Moment } from "../../src/agent/consult.ts";
import { runEpisode } from "../../src/agent/episode.ts";
import { runLoop } from "../../src/agent/loop.ts";
import { rebuild } from "../../src/agent/rebuild.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";
import { callId, recorded, replied, started } from "./turn-events.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const files = { "src/a.py": "x = 1\n" };
const asItIs: Decide = async ({ command }) => ({ type: "run", command });

/** A whole run over a real shell, decided by these one after the other. */
async function decided(script: readonly Scripted[], deciders: readonly Decide[], config = {}) {
  const model = scriptedModel(script);
  const moments: Moment[] = [];
  const { parts, events, folder } = await testEpisode(model, files, {
    config,
    decide: async (moment) => {
      const decide = deciders[moments.length] ?? asItIs;
      moments.push(moment);
      return decide(moment);
    },
  });
  const end = await runEpisode(parts);
  const of = <Type extends EpisodeEvent["type"]>(type: Type) =>
    events.filter((event): event is Extract<EpisodeEvent, { type: Type }> => event.type === type);
  return { end, events, moments, of, folder, requests: model.requests };
}

describe("a command that somebody decides on", () => {
  it("is recorded as what ran in its place, and the model is told", async () => {
    const instead: Decide = async () => ({ type: "run", command: "cat src/a.py" });
    const { of } = await decided(["rm src/a.py", submit], [instead]);
    expect(of("command")[0]).toMatchObject({ callId: callId(1), command: "cat src/a.py" });
    const [{ output = "", content = "" } = {}] = of("observation");
    expect(output).toBe("x = 1\n");
    expect(content).toMatchInlineSnapshot(`
      "<returncode>0</returncode>
      <output>
      x = 1
      </output>
      <note>The user ran another command in place of yours:
      cat src/a.py</note>"
    `);
  });

  it("does not run when it is skipped", async () => {
    const { of } = await decided(["rm src/a.py", submit], [async () => ({ type: "skip" })]);
    const [skipped] = of("observation");
    expect(skipped).toMatchObject({ exitCode: 126 });
    expect(skipped?.content).toContain("The user skipped this command. It was not run");
    expect(of("patch")[0]).toMatchObject({ bytes: 0 });
  });

  it("runs after one of the user's own, which is recorded before it runs", async () => {
    const own: Decide = async ({ command, runFirst }) => {
      expect(await runFirst("echo 'x = 2' > src/a.py; echo mine; exit 3")).toMatchObject({
        output: "mine\n",
        exitCode: 3,
      });
      return { type: "run", command };
    };
    const { of, events } = await decided(["cat src/a.py", submit], [own]);
    const [reply, notice] = events.filter(({ type }) => type === "reply" || type === "notice");
    expect(reply?.type).toBe("reply");
    expect(notice).toMatchObject({ text: /^The user runs: echo 'x = 2'/ });
    const [{ output = "", content = "" } = {}] = of("observation");
    expect(output).toBe("x = 2\n");
    expect(content).toContain(
      "<note>Before it, the user ran a command of their own, with status 3:\necho 'x = 2' >",
    );
    expect(of("patch")[0]).toMatchObject({ files: ["src/a.py"] });
  });

  it("is decided on with plan and memory in sight, after the reply was made sure of", async () => {
    const config = { planner: { on: true }, memory: { on: true } };
    const plan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
    const script = [plan, "cat src/a.py", ...new Array<string>(4).fill("false"), "false", submit];
    const { moments, events, of } = await decided(script, [], config);
    expect(moments[1]?.state?.memory?.nodes.at(-1)).toMatchObject({ action: "cat src/a.py" });
    expect(moments.map(({ stuck }) => stuck !== null)).toEqual(
      moments.map((_, at) => (at === 0 ? false : of("advice")[at - 1]?.stuck !== null)),
    );
    expect(of("advice").some(({ stuck }) => stuck !== null)).toBe(true);
    expect(events.length).toBeGreaterThan(0);
  });

  it("leaves a record from which plan and memory are rebuilt as they were", async () => {
    const config = { planner: { on: true }, memory: { on: true } };
    const plan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
    const edit: Decide = async ({ runFirst }) => {
      await runFirst("echo 'x = 3' > src/a.py");
      return { type: "run", command: "sed -i s/3/4/ src/a.py" };
    };
    const skip: Decide = async () => ({ type: "skip" });
    const script: Scripted[] = [plan, ["cat src/a.py", "ls"], "false", "git diff", submit];
    const { events, requests, moments } = await decided(script, [edit, skip, edit], config);
    const given = events.filter(({ type }) => type === "advice");
    const rebuilt = rebuild(JSON.parse(JSON.stringify(events)) as EpisodeEvent[]);
    expect(rebuilt?.advice).toEqual(given);
    expect(moments).toHaveLength(5);
    const sent = requests.at(-1)?.messages ?? [];
    expect(conversationOf(events).slice(0, sent.length)).toEqual(sent);
  });

  it("waits for another process when whoever decides is gone", async () => {
    const gone: Decide = async () => {
      throw new Error("gone");
    };
    const { end, of } = await decided(["touch b"], [gone]);
    expect(end).toMatchObject({ status: "error" });
    expect([of("reply").length, of("command").length]).toEqual([1, 0]);
  });
});

it("tells what the user had put in place of a call whose end nobody saw", async () => {
  const model = scriptedModel([submit]);
  const { parts, events } = await testEpisode(model, files);
  const note = "<note>The user ran another command in place of yours:\nls</note>";
  const past = [
    { type: "prompt", system: "s", task: "t" } as const,
    replied(1, "rm -rf src"),
    { ...started(1, 1, "ls"), note },
  ];
  await runLoop({ ...parts, past: recorded(past) });
  const [told] = events;
  expect(told).toMatchObject({ type: "observation", exitCode: 137 });
  expect(told?.type === "observation" && told.content.endsWith(note)).toBe(true);
});
