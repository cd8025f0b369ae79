import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { testEpisode } from "../episode-parts.ts";
import { replayOf } from "../eval/episodes.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";
import { insightsOf, recordingOf, toldRecording } from "./recordings.ts";

const files = { "src/a.py": "x = 1\n", "tests/test_a.py": "assert True\n" };

const commands = [
  "cat src/a.py",
  "grep -rn x src",
  "echo 'x = 2' > src/a.py",
  "echo 'x = (' > src/a.py",
  "git checkout -- src/a.py",
  "python3 tests/test_a.py",
  "false",
];

async function eventsOf(
  script: readonly Scripted[],
  config: Readonly<Record<string, unknown>>,
): Promise<readonly EpisodeEvent[]> {
  const agent = { maxFormatErrors: null, stepLimit: script.length || 1 };
  const { parts, events } = await testEpisode(scriptedModel(script), files, {
    config: { ...config, agent },
  });
  await runEpisode(parts);
  return JSON.parse(JSON.stringify(events));
}

const told = (event: EpisodeEvent) => {
  if (event.type !== "advice") return [];
  const { block, hint, policyPhase, subTask, done, total, stuck, retrieved } = event;
  return [
    { block, hint, policyPhase, subTask: subTask?.id ?? null, done, total, stuck, retrieved },
  ];
};

describe("the insights of a run of ours", () => {
  it("are what plan and memory said at the time, turn by turn", async () => {
    const turn = fc.oneof(
      fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 3 }),
      fc.constant<Scripted>({ message: { role: "assistant", content: "Hm.", calls: [] } }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 10 }), async (script) => {
        const plan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
        const on = { planner: { on: true }, memory: { on: true } };
        const events = await eventsOf([plan, ...script], on);
        const recording = recordingOf(events);
        expect(recording.advised).toBe(true);
        const seen = insightsOf(recording).insights.map((insight) => ({
          block: insight.block,
          hint: insight.hint,
          policyPhase: insight.phase,
          subTask: insight.active,
          done: insight.done,
          total: insight.total,
          stuck: insight.stuck?.reason ?? null,
          retrieved: insight.recall?.nodes.map(({ id }) => id) ?? [],
        }));
        expect(seen).toEqual(events.flatMap(told));
      }),
      { numRuns: 4 },
    );
  });

  it("of a run without them are what they would have said", async () => {
    const script = ["cat src/a.py", "echo 'x = 2' > src/a.py"];
    const recording = recordingOf(await eventsOf(script, {}));
    expect(recording.advised).toBe(false);
    const { insights } = insightsOf(recording);
    expect(insights.map(({ phase }) => phase)).toContain("implement");
  });
});

describe("the insights of a trajectory", () => {
  const reads = Array.from({ length: 17 }, (_, n) => `cat src/f${n}.py`);

  it("are what a replay says", () => {
    const script = [...reads, "sed -i s/1/2/ src/f1.py", "pytest tests"];
    const { insights } = insightsOf(toldRecording(script));
    const last = replayOf(script).turns.map(({ advice }) => advice.at(-1));
    expect(insights.map(({ block }) => block)).toEqual(last.map((advice) => advice?.block));
    expect(insights.map(({ recall }) => recall?.nodes.map(({ id }) => id))).toEqual(
      last.map((advice) => advice?.retrieved),
    );
  });

  it("count towards stuck up to the value that made it so, and from 0 after it", () => {
    const { insights } = insightsOf(toldRecording(reads));
    expect(insights.map(({ counts }) => counts.readSaturation)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1, 2,
    ]);
    expect(insights[14]).toMatchObject({
      stuck: { signal: "readSaturation", suppressed: null, template: "RT-COMMIT" },
      phase: "backtrack",
      opened: [{ id: "r1.2" }, { id: "r1.1" }],
      active: "r1.1",
    });
  });

  it("name the files that a turn read, edited and put back", () => {
    const { insights } = insightsOf(
      toldRecording(["cat a.py b.py", "sed -i s/1/2/ a.py && rm b.py", "git checkout -- a.py"]),
    );
    expect(insights.map(({ reads, edits, reverts }) => ({ reads, edits, reverts }))).toEqual([
      { reads: ["a.py", "b.py"], edits: [], reverts: [] },
      { reads: [], edits: ["a.py", "b.py"], reverts: [] },
      { reads: [], edits: [], reverts: ["a.py"] },
    ]);
    expect(insights.map(({ sourceEdit }) => sourceEdit)).toEqual([false, true, false]);
  });

  it("leave out files and recall of a reply that its harness refused", () => {
    const { insights } = insightsOf(
      toldRecording(["cat a.py", { commands: ["cat b.py", "rm a.py"], rejected: true }]),
    );
    expect(insights[1]).toMatchObject({ reads: [], edits: [], recall: null, block: null });
    expect(insights[1]?.counts).toEqual(insights[0]?.counts);
  });
});
