import { describe, expect, it } from "vitest";
import { LabelRow, scoreLabels } from "../../src/eval/replay-labels.ts";
import { parseRows } from "../../src/eval/replay-rows.ts";
import { replayOf, submit } from "./episodes.ts";

/** Read: explore · probe: hypothesize · edit: implement · test: verify · submit. */
const replays = [
  replayOf([
    "cat src/a.py",
    "python -c 'print(1)'",
    "sed -i 's/a/b/' src/a.py",
    "pytest tests",
    submit,
    { commands: ["sed -i 's/a/b/' src/a.py", "pytest"], rejected: true },
  ]),
];

const row = (step: number, phase: string, rest: object = {}) =>
  LabelRow.parse({ instance_id: "shapes__area-7", step, phase, ...rest });

const right = [
  row(1, "explore"),
  row(2, "hypothesize"),
  row(3, "implement", { mutates: ["src/a.py"] }),
  row(4, "verify"),
  row(5, "submit"),
];

describe("labels", () => {
  it("that agree score 1", () => {
    expect(scoreLabels(right, replays)).toEqual({
      n: 5,
      accuracy: 1,
      clear_accuracy: 1,
      macro_f1: 1,
      mutation_f1: 1,
    });
  });

  it("are counted over all rows, over clear ones, and by phase", () => {
    const labels = [
      row(1, "hypothesize", { ambiguous: true, alt: "explore" }),
      ...right.slice(1, 5),
    ];
    const { accuracy, clear_accuracy, macro_f1 } = scoreLabels(labels, replays);
    expect([accuracy, clear_accuracy]).toEqual([0.8, 1]);
    // explore 0, hypothesize 2/3, implement 1, verify 1
    expect(macro_f1).toBeCloseTo((0 + 2 / 3 + 1 + 1) / 4, 12);
  });

  it("of changed files count paths inside the repository, of steps that ran", () => {
    const labels = [
      row(3, "implement", { mutates: ["src/a.py", "src/missed.py", "/tmp/out"] }),
      row(4, "verify", { mutates: [] }),
      row(6, "implement", { mutates: [] }),
    ];
    expect(scoreLabels(labels, replays).mutation_f1).toBeCloseTo((2 * 1) / (2 * 1 + 0 + 1), 12);
  });

  it("of a rejected step are met by what it was meant to be", () => {
    expect(scoreLabels([row(6, "implement")], replays).accuracy).toBe(1);
  });

  it("of a step that the episode does not have count as missed", () => {
    expect(scoreLabels([...right, row(9, "verify")], replays)).toMatchObject({
      n: 6,
      accuracy: 5 / 6,
    });
  });

  it("without any changed file or clear row leave those scores open", () => {
    const labels = [row(1, "explore", { ambiguous: true })];
    expect(scoreLabels(labels, replays)).toMatchObject({ clear_accuracy: null, mutation_f1: null });
  });

  it("of other episodes are left out, and it is an error when none is left", () => {
    const other = { ...row(1, "explore"), instance_id: "other__one-1" };
    expect(scoreLabels([...right, other], replays).n).toBe(5);
    expect(() => scoreLabels([other], replays)).toThrow(/None of the 1 labelled steps/);
  });
});

describe("parseRows", () => {
  const line = '{"instance_id": "a", "step": 2, "phase": "verify", "mutates": [], "more": 1}';
  const parsed = { instance_id: "a", step: 2, phase: "verify", mutates: [], ambiguous: false };

  it.each([
    ["JSON lines", `${line}\n\n${line}\n`],
    ["a JSON array", `\ufeff[${line},\n${line}]`],
  ])("reads %s", (_, content) => {
    expect(parseRows(LabelRow, content, "labels")).toEqual([parsed, parsed]);
  });

  it.each([
    ["no JSON", `${line}\n{"instance_id"`, "labels, line 2: expected JSON."],
    [
      "a wrong value",
      `${line}\n{"instance_id": "a", "step": 0, "phase": "verify"}`,
      "labels, line 2: step: Too small: expected number to be >0.",
    ],
    [
      "a missing one in an array",
      `[{"step": 1, "phase": "verify"}]`,
      "labels, row 1: instance_id: Invalid input: expected string, received undefined.",
    ],
  ])("names the place of %s", (_, content, message) => {
    expect(() => parseRows(LabelRow, content, "labels")).toThrow(message);
  });
});
