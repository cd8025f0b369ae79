import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import { conversationOf } from "../../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { testEpisode } from "../../episode-parts.ts";
import { type Scripted, scriptedModel } from "../../scripted-model.ts";
import { script } from "./place.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const files = {
  "lib/answer.py": "def answer():\n    return 41\n",
  "tests/test_answer.py": "import lib.answer\n",
};
const reproducer = script(
  "python",
  "import sys\nfrom lib.answer import answer\nprint('answer is', answer())\nsys.exit(answer() != 42)\n",
);
/** The reply to the decomposition request that is no plan, so that the fixed one stands in. */
const noPlan: Scripted = { message: { role: "assistant", content: "-", calls: [] } };
const on = { planner: { on: true }, memory: { on: true } };
const test = "python3 -m unittest tests.test_answer";

async function episode(
  commands: readonly Scripted[],
  config: Readonly<Record<string, unknown>> = on,
  armed = true,
) {
  const model = scriptedModel([noPlan, ...commands, submit]);
  const given = await testEpisode(model, files, { config, ...(armed ? { reproducer } : {}) });
  const count = { commands: 0 };
  const { environment } = given.parts;
  const execute: typeof environment.execute = (command, options) => {
    count.commands += 1;
    return environment.execute(command, options);
  };
  await runEpisode({ ...given.parts, environment: { ...environment, execute } });
  return { events: given.events, model, count };
}

const of = <Type extends EpisodeEvent["type"]>(events: readonly EpisodeEvent[], type: Type) =>
  events.filter((event): event is Extract<EpisodeEvent, { type: Type }> => event.type === type);

const edit = (value: string) => `sed -i 's/return .*/return ${value}/' lib/answer.py`;

describe("grounding in an episode", () => {
  it("lets the terminal verification complete only when the issue no longer shows", async () => {
    // Of another length: Python takes old bytecode for a file of the same second and size.
    const { events } = await episode([edit("4"), test, edit("42"), test]);
    const story = events.flatMap((event) => {
      if (event.type === "verdict") return `${event.step} ${event.verdict}`;
      return event.type === "advice" ? `${event.step} ${event.phase} ${event.done}/4` : [];
    });
    expect(story).toEqual([
      "1 fail",
      "1 implement 0/4",
      "2 verify 1/4",
      "3 pass",
      "3 verify 3/4",
      "4 verify 4/4",
      "5 verify 4/4",
    ]);
  });

  it("gates nothing without the coupling, and nothing without a script", async () => {
    const apart = { ...on, couplings: { verdictPlan: false } };
    for (const [config, armed] of [
      [apart, true],
      [on, false],
    ] as const) {
      const { events } = await episode([edit("40"), test], config, armed);
      expect(of(events, "advice").map(({ done }) => done)).toEqual([0, 4, 4]);
      expect(of(events, "verdict").map(({ verdict }) => verdict)).toEqual(armed ? ["fail"] : []);
    }
  });

  it("stands at the end of the tool result: integrity, verdict, block", async () => {
    const { events } = await episode([edit("40"), `echo '(' > repro_1.py; ${edit("39")}`]);
    const results = conversationOf(events).filter(({ role }) => role === "tool");
    const order = results.map(({ content }) =>
      [...content.matchAll(/^<(\/output|integrity|reproduction)>|^\[(PLANMEM)\]/gm)].map(
        (match) => match[1] ?? match[2],
      ),
    );
    expect(order[0]).toEqual(["/output", "reproduction", "PLANMEM"]);
    expect(order[1]?.slice(0, 3)).toEqual(["/output", "integrity", "reproduction"]);
    expect(results[0]?.content).toContain("still fails:\nanswer is 40\n</reproduction>");
    expect(results[0]?.content).toContain("verdict=fail");
  });

  it("asks nobody while a source file is corrupt, and takes the old verdict back", async () => {
    const { events } = await episode([
      edit("42"),
      "echo '(' >> lib/answer.py",
      test,
      "git checkout -- lib/answer.py",
    ]);
    expect(
      of(events, "verdict").map(({ step, verdict, signature }) => [
        step,
        verdict,
        signature !== null,
      ]),
    ).toEqual([
      [1, "pass", true],
      [2, "undefined", false],
      [4, "fail", true],
    ]);
    expect(of(events, "check")).toHaveLength(1);
    expect(of(events, "integrity").map(({ step, corrupt }) => [step, corrupt.length])).toEqual([
      [1, 0],
      [2, 1],
      [4, 0],
    ]);
  });

  it("records the observation before the script starts", async () => {
    const { events } = await episode([edit("42")]);
    const types = events.map(({ type }) => type);
    const from = types.indexOf("observation");
    expect(types.slice(from, from + 5)).toEqual([
      "observation",
      "check",
      "integrity",
      "verdict",
      "advice",
    ]);
  });

  it("backtracks at the sixth edit of one file, in the eleventh step, and restores it", async () => {
    const edits = new Map([3, 5, 7, 8, 9, 11].map((step) => [step, edit(String(step))]));
    const commands = Array.from(
      { length: 11 },
      (_, n) => edits.get(n + 1) ?? `cat lib/answer.py # ${n}`,
    );
    const { events } = await episode([...commands, "git checkout -- lib/answer.py"]);
    const advice = of(events, "advice");
    expect(advice.filter(({ backtrack }) => backtrack).map(({ step }) => step)).toEqual([11]);
    expect(advice[10]?.subTask?.title).toContain("git checkout -- lib/answer.py");
    expect(
      of(events, "verdict").map(({ step, verdict, cached }) => [step, verdict, cached]),
    ).toEqual([
      [3, "fail", false],
      [5, "fail", false],
      [7, "fail", false],
      [8, "fail", false],
      [9, "undefined", false],
      [11, "undefined", false],
      [12, "fail", true],
    ]);
  });

  it.each([
    ["the planner", { planner: { on: false }, memory: { on: true } }],
    ["the grounding", { ...on, grounding: { on: false } }],
    ["everything", { planner: { on: false }, memory: { on: false } }],
  ])("does not exist without %s", async (_what, config) => {
    const model = scriptedModel([
      ...(config.planner.on ? [noPlan] : []),
      "echo '(' > a.py",
      submit,
    ]);
    const { parts, events } = await testEpisode(model, files, { config, reproducer });
    await runEpisode(parts);
    for (const type of ["integrity", "check", "verdict"] as const)
      expect(of(events, type)).toEqual([]);
  });

  it("costs no command where nothing is changed, and one where an unarmed run edits", async () => {
    const reading = await episode(["cat lib/answer.py", test], on, false);
    const plain = await episode(
      ["cat lib/answer.py", test],
      { ...on, grounding: { on: false } },
      false,
    );
    expect(reading.count).toEqual(plain.count);
    const editing = await episode([edit("42"), test], on, false);
    expect(editing.count.commands).toBe(plain.count.commands + 1);
  });
});
