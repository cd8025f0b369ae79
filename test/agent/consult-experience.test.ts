import { describe, expect, it } from "vitest";
import { runLoop } from "../../src/agent/loop.ts";
import { rebuild } from "../../src/agent/rebuild.ts";
import { ExperienceConfig } from "../../src/domain/config/experience.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { LongTermMemory, Occasion } from "../../src/domain/experience.ts";
import type { Model } from "../../src/domain/model.ts";
import { briefingOf } from "../../src/experience/brief.ts";
import { testEpisode } from "../episode-parts.ts";
import { type MemoryInRam, memoryInRam } from "../experience/memory-in-ram.ts";
import { replyOf, type Scripted, scriptedModel } from "../scripted-model.ts";
import { recorded } from "./turn-events.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const files = { "src/a.py": "x = 1\n", "tests/test_a.py": "assert True\n" };
const full = { arm: "full", planner: { on: true }, memory: { on: true } };
const planner = { planner: { on: true } };
const noPlan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
const target = { instanceId: "p__p-9", repo: "p/p", issue: "answer() is wrong", createdAt: 9 };
const { budgets } = ExperienceConfig.parse({});

const script = [
  "cat src/a.py",
  "echo 'x = 2' > src/a.py",
  "python3 tests/test_a.py; exit 1",
  submit,
];

/** Each phase has a record of its own; one is of the very issue. */
const byPhase = () =>
  memoryInRam("adarepair", ({ phase }) => [
    { id: `r-${phase}`, text: `what helped to ${phase}`, instanceId: "p__p-7" },
    { id: "own", text: "the answer", instanceId: "p__p-9" },
  ]);

/** A loop whose model answers by the turn that it is asked for, in this process or another. */
async function loop(
  memory: LongTermMemory | ((model: Model) => LongTermMemory),
  {
    config = full,
    past = [],
    turns = script,
  }: {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly past?: readonly RecordedEvent[];
    readonly turns?: readonly Scripted[];
  } = {},
) {
  const requests = scriptedModel([]);
  const model: Model = {
    ...requests,
    complete: async ({ purpose, messages }) => {
      if (purpose !== "act") return replyOf(noPlan, 1);
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return replyOf(turns[turn] ?? submit, turn + 1);
    },
  };
  const { parts, events } = await testEpisode(model, files, { config });
  const named = (one: LongTermMemory) => [{ name: "adarepair" as const, memory: one }];
  const open = (asked: Model) =>
    briefingOf(named(typeof memory === "function" ? memory(asked) : memory), budgets);
  const end = await runLoop({ ...parts, past, experience: { target, open } });
  return { end, events, all: [...past, ...events], config: parts.config };
}

const briefs = (events: readonly EpisodeEvent[]) =>
  events.filter((event) => event.type === "experience");
const occasions = ({ asked }: MemoryInRam) => asked.map(({ phase, entry }) => `${entry} ${phase}`);

describe("memories across issues in an episode", () => {
  it("are asked at the first result and as phases are entered", async () => {
    const memory = byPhase();
    const { end, events } = await loop(memory);
    expect(end).toMatchObject({ status: "submitted" });
    expect(occasions(memory)).toEqual(["1 explore", "2 implement", "3 verify"]);
    expect(memory.asked[0]).toMatchObject({ target, refining: false, failure: null });
    expect(
      briefs(events).map(({ step, callId, recalled, denied }) => ({
        step,
        callId,
        recalled,
        denied,
      }))[1],
    ).toMatchInlineSnapshot(`
      {
        "callId": "call-2-1",
        "denied": {
          "same instance": 1,
        },
        "recalled": [
          {
            "id": "r-implement",
            "instanceId": "p__p-7",
            "score": 1,
            "source": "adarepair",
            "stage": "loc",
            "tokens": 7,
          },
        ],
        "step": 2,
      }
    `);
  });

  it("stand at the end of the newest result, and nothing of them in the episodic memory", async () => {
    const { all, config } = await loop(byPhase());
    const told = conversationOf(all).filter(({ role }) => role === "tool");
    expect(told[0]?.content).toMatchInlineSnapshot(`
      "<returncode>0</returncode>
      <output>
      x = 1
      </output>

      [PLANMEM]
      phase=explore subtask=1/4 "Find the code that the issue is about" done=0/4 files=src/a.py(1)
      [/PLANMEM]

      [LTM]
      From work on other issues. It may not fit here: check it against this repository before use.
      How other issues were repaired:
      - what helped to explore
      [/LTM]"
    `);
    expect(told.map(({ content }) => content.includes("[LTM]"))).toEqual([true, true, true, false]);
    const begin = { type: "begin", config, task: "t", environment: { workdir: "/testbed" } };
    const { state } = rebuild([begin as EpisodeEvent, ...all]) ?? {};
    expect(state?.memory?.nodes.length).toBeGreaterThan(3);
    expect(JSON.stringify(state)).not.toContain("what helped to");
  });

  it("are asked once without a planner", async () => {
    const memory = byPhase();
    const { events } = await loop(memory, { config: {} });
    expect(occasions(memory)).toEqual(["1 explore"]);
    expect(events.map(({ type }) => type).slice(0, 6)).toEqual([
      ...["prompt", "reply", "command", "observation", "experience", "reply"],
    ]);
  });

  it("are asked about a repair of a repair once the check failed or the plan turned back", async () => {
    const memory = byPhase();
    const config = { ...full, planner: { on: true, minBacktrackStep: 1, cooldown: 1 } };
    const stuck = Array.from(
      { length: 6 },
      (_, n) => `python3 -c 'raise SystemExit(${n + 1})'; exit 3`,
    );
    const failing = stuck.map((command) => `echo broken; ${command}`);
    await loop(memory, { config, turns: failing });
    const back = memory.asked.find(({ phase }) => phase === "backtrack");
    expect(back).toMatchObject({ phase: "backtrack", refining: true, failure: "broken\n" });
  });

  it("wait for a result after a reply that ran nothing", async () => {
    const prose: Scripted = { message: { role: "assistant", content: "Hm.", calls: [] } };
    const memory = byPhase();
    const { events } = await loop(memory, { config: planner, turns: [prose, ...script] });
    expect(briefs(events)[0]).toMatchObject({ step: 2, callId: "call-2-1", entry: 1 });
  });

  it("are not asked after a submission", async () => {
    const memory = byPhase();
    await loop(memory, { turns: [submit] });
    expect(memory.asked).toEqual([]);
  });
});

describe("a run that goes on", () => {
  it("asks for nothing that is recorded, wherever it was cut, and says the same", async () => {
    const whole = await loop(byPhase());
    const begun = whole.events.findIndex(({ type }) => type === "observation");
    const said = briefs(whole.events).map(({ block }) => block);
    const cuts = whole.events.flatMap(({ type }, at) =>
      type === "advice" || type === "experience" ? [at + 1] : [],
    );
    expect(cuts.length).toBeGreaterThan(5);
    for (const cut of cuts.filter((at) => at > begun)) {
      const memory = byPhase();
      const past = recorded(whole.events.slice(0, cut));
      const begin = { type: "begin", task: "answer() is wrong", config: whole.config };
      const opened = { ...begin, environment: { kind: "local", workdir: "/testbed" } };
      const [first] = recorded([opened as EpisodeEvent]);
      const { events } = await loop(memory, { past: first ? [first, ...past] : past });
      expect(memory.asked).toHaveLength(said.length - briefs(past).length);
      expect(briefs([...past, ...events]).map(({ block }) => block)).toEqual(said);
    }
  });
});

describe("a memory that fails", () => {
  it.each([
    ["a locked bank", new PmcoderError("storage", "The bank is locked.")],
    ["a model that is gone", new PmcoderError("model_unavailable", "No such model.")],
    ["a fault of its own", new TypeError("x is undefined")],
  ])("is told of and ends nothing: %s", async (_, error) => {
    const failing: LongTermMemory = {
      recall: () => Promise.reject(error),
      learn: () => Promise.reject(error),
    };
    const { end, events } = await loop(failing, { config: {} });
    expect(end).toMatchObject({ status: "submitted" });
    const text = `Nothing is recalled from adarepair: ${error.message}`;
    expect(events).toContainEqual({ type: "notice", text });
    expect(briefs(events)).toMatchObject([{ block: null, recalled: [] }]);
  });

  it("leaves an interrupt to the run", async () => {
    const interrupted: LongTermMemory = {
      recall: () => Promise.reject(new PmcoderError("interrupted", "Stopped.")),
      learn: () => Promise.reject(new PmcoderError("interrupted", "Stopped.")),
    };
    await expect(loop(interrupted)).rejects.toThrow("Stopped.");
  });
});

describe("a memory that asks the model", () => {
  const asking =
    (seen: Occasion[] = []) =>
    (model: Model): LongTermMemory => ({
      recall: async (occasion) => {
        seen.push(occasion);
        const messages = [{ role: "user", content: "Which of these?" }] as const;
        const request = { purpose: "distil", messages, tools: [], maxOutputTokens: 10 } as const;
        const { signal } = new AbortController();
        const { message } = await model.complete(request, { signal, onRetry: () => {} });
        const text = message.content;
        const one = { id: "r", source: "adarepair", stage: "loc", instanceId: null } as const;
        return { recollections: [{ ...one, score: 1, text }], denied: {} };
      },
      learn: async () => ({ added: 0, changed: 0, notes: [] }),
    });

  it("has its question recorded and counted, apart from the conversation", async () => {
    const { events } = await loop(asking(), { config: {} });
    const at = events.findIndex(({ type }) => type === "experience");
    expect(events[at - 1]).toMatchObject({ type: "reply", purpose: "distil", cost: 0 });
    expect(events[at]).toMatchObject({ recalled: [{ id: "r" }] });
    expect(conversationOf(events).filter(({ role }) => role === "assistant")).toHaveLength(4);
  });
});
