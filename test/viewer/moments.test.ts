import { describe, expect, it } from "vitest";
import { momentsOf } from "../../src/viewer/moments.ts";
import type { Told } from "../eval/episodes.ts";
import { fullConfig, insightsOf, toldRecording } from "./recordings.ts";

function momentsIn(told: readonly (string | Told)[]) {
  const { insights } = insightsOf(toldRecording(told));
  return momentsOf(insights, fullConfig.stuck);
}

const brief = (told: readonly (string | Told)[]) =>
  momentsIn(told).map(({ step, title, detail }) => `${step} ${title}: ${detail}`);

describe("the moments of an episode", () => {
  it("are its first edit, its first test run, where it went back, how near it came, its end", () => {
    expect(
      brief([
        "cat src/a.py",
        "sed -i s/1/2/ src/a.py",
        "pytest tests",
        "sed -i s/2/3/ src/a.py",
        "sed -i s/3/4/ src/a.py",
        "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
      ]),
    ).toMatchInlineSnapshot(`
      [
        "2 First edit of source: src/a.py",
        "3 First test run: ",
        "5 Back from verify to implement: because the step edits source",
        "5 Never stuck: nearest: 3 of 6 edits of one file",
        "6 Submitted: ",
      ]
    `);
  });

  it("tell once that it is stuck, and why it may not turn back", () => {
    const failing: Told = { commands: ["python run.py"], exitCode: 1 };
    expect(brief(Array.from({ length: 8 }, () => failing))).toMatchInlineSnapshot(`
      [
        "4 Loop: This command has given the same output 4 times, and nothing has changed in between.",
        "5 Stuck, held back: 5 commands in a row failed; too early in the episode to turn back",
        "8 Loop: This command has given the same output 4 times, and nothing has changed in between.",
      ]
    `);
  });

  it("name what was recalled where the work takes a turn, each message once", () => {
    const reads = Array.from({ length: 15 }, (_, n) => `cat src/f${n}.py`);
    const stuck = momentsIn(reads).find(({ kind }) => kind === "stuck");
    expect(stuck).toMatchObject({
      step: 15,
      title: "Stuck: the plan turns back",
      detail: "15 reads without a passing test",
    });
    const places = stuck?.recalled.map(({ turn, label }) => `${turn} ${label}`) ?? [];
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places).size).toBe(places.length);
  });

  it("are none of an episode without steps", () => {
    expect(momentsIn([])).toEqual([]);
  });
});
