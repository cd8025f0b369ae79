import { describe, expect, it } from "vitest";
import { runLoop } from "../../src/agent/loop.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import type { Message } from "../../src/domain/message.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";
import { callId, observed, recorded, replied, started } from "./turn-events.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const prompt: EpisodeEvent = { type: "prompt", system: "s", task: "t" };
const abc = replied(1, ["echo a >> log", "echo b >> log", "cat log"]);
const sawA = [prompt, abc, started(1, 1, "echo a >> log"), observed(1, 1)];

/** The loop of another process over a repository, after this past. */
async function goOn(
  past: readonly EpisodeEvent[],
  script: readonly Scripted[] = [submit],
  more = {},
) {
  const model = scriptedModel(script);
  const { parts, events } = await testEpisode(model, { log: "" });
  const end = await runLoop({ ...parts, past: recorded(past), ...more });
  return { end, events, requests: model.requests, all: [...past, ...events] };
}

const typesOf = (events: readonly EpisodeEvent[]) => events.map(({ type }) => type);
const answers = (messages: readonly Message[]) =>
  messages.filter((message) => message.role === "tool");
const asked = ["reply", "command", "observation", "submission"];

describe("a loop that goes on", () => {
  it("answers the call in flight and those after it, and asks with all three answers", async () => {
    const { events, requests } = await goOn([...sawA, started(1, 2, "echo b >> log")]);
    expect(typesOf(events)).toEqual(["observation", "skipped", ...asked]);
    expect(events[0]).toMatchObject({ callId: callId(1, 2), exitCode: 137, interrupted: true });
    const [request] = requests;
    expect(request?.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant"],
      ...["tool", "tool", "tool"],
    ]);
    expect(answers(request?.messages ?? [])).toMatchInlineSnapshot(`
      [
        {
          "callId": "call-1-1",
          "content": "result of call-1-1",
          "role": "tool",
        },
        {
          "callId": "call-1-2",
          "content": "<returncode>137</returncode>
      <output>
      (nothing of its output was kept)
      </output>
      <exception>Started, then the run was interrupted: whether and how far it ran is unknown. Check before you repeat it.</exception>",
          "isError": true,
          "role": "tool",
        },
        {
          "callId": "call-1-3",
          "content": "<exception>Not run: the run was interrupted within this turn. Send the command again if it is still wanted.</exception>",
          "isError": true,
          "role": "tool",
        },
      ]
    `);
  });

  it("goes on between two calls of a turn", async () => {
    const { events, requests } = await goOn(sawA);
    expect(typesOf(events)).toEqual(["command", "observation", "command", "observation", ...asked]);
    expect(events[3]).toMatchObject({ output: "b\n" });
    expect(requests).toHaveLength(1);
  });

  it("runs the calls of a reply that was recorded, and does not ask for it again", async () => {
    const { requests, events } = await goOn([prompt, replied(1, "ls")]);
    expect(events[0]).toEqual(started(1, 1, "ls"));
    expect(requests[0]?.messages).toHaveLength(4);
  });

  it("runs no command from a record that lacks its secret", async () => {
    const secret = replied(1, ["curl -H [redacted:API_KEY] x", "ls"]);
    const { events } = await goOn([prompt, secret]);
    expect(typesOf(events)).toEqual(["skipped", "skipped", ...asked]);
  });

  it("asks nobody when the work was submitted", async () => {
    const said = [replied(1, submit), started(1, 1, submit), observed(1)];
    const past: EpisodeEvent[] = [prompt, ...said, { type: "submission", step: 1, text: "diff" }];
    const { end, events, requests } = await goOn(past);
    expect(end).toMatchObject({ status: "submitted", submission: Buffer.from("diff") });
    expect([events, requests]).toEqual([[], []]);
  });

  it("says the same whether it is told at once or grows from the events", async () => {
    const { all, requests } = await goOn([...sawA, started(1, 2, "echo b >> log")]);
    const last = all.findLastIndex(({ type }) => type === "reply");
    expect(requests.at(-1)?.messages).toEqual(conversationOf(all.slice(0, last)));
  });
});

describe("what the model must know of the run", () => {
  const done = [prompt, replied(1, "ls"), started(1, 1, "ls"), observed(1)];
  const elsewhere = { resumed: { rebuilt: true, limits: {} } };
  const remarks = (events: readonly EpisodeEvent[]) =>
    events.flatMap((event) => (event.type === "remark" ? [event.about] : []));

  it("is told at the end of the newest result, once", async () => {
    const { events, requests } = await goOn(done, ["true", submit], elsewhere);
    expect(remarks(events)).toEqual(["rebuilt"]);
    const [newest] = answers(requests[0]?.messages ?? []);
    expect(newest?.content).toMatch(/^result of call-1-1\n\n<notice>\nThe environment had to/);
  });

  it("waits for a result", async () => {
    const refused = replied(2, { message: { role: "assistant", content: "Hm.", calls: [] } });
    const answered: EpisodeEvent = {
      type: "format_error",
      step: 2,
      kind: "no_call",
      answers: [{ callId: null, content: "Call a tool." }],
    };
    const past = [...done, refused, answered];
    const { events } = await goOn(past, ["true", submit], elsewhere);
    expect(typesOf(events)).toEqual(["reply", "command", "observation", "remark", ...asked]);
  });

  it("is not forgotten by a process that dies before it could tell", async () => {
    const base = { tree: "t", commit: null, store: "/s" };
    const resume: EpisodeEvent = { type: "resume", version: "0", base, rebuilt: true, limits: {} };
    const same = { resumed: { rebuilt: false, limits: {} } };
    expect(remarks((await goOn([...done, resume], [submit], same)).events)).toEqual(["rebuilt"]);
  });

  it("is that a limit which was near has been raised, and later that the new one is near", async () => {
    const near: EpisodeEvent = {
      type: "remark",
      about: "limit",
      step: 1,
      callId: callId(1),
      text: "2 steps are left of 3.",
    };
    const raised = { resumed: { rebuilt: false, limits: { stepLimit: 250 } } };
    const { events } = await goOn([...done, near], ["true", submit], raised);
    expect(remarks(events)).toEqual(["raised"]);
    expect(remarks((await goOn(done, [submit], raised)).events)).toEqual([]);
  });
});
