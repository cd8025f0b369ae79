import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlannerConfig } from "../../../src/domain/config/planner.ts";
import {
  type LoopInput,
  type LoopState,
  noLoop,
  noteLoop,
} from "../../../src/substrate/planner/loop-hint.ts";

const rules = PlannerConfig.parse({}).loopHint;

interface Call {
  readonly command: string;
  readonly output: string;
  readonly mutates?: boolean;
  readonly tree?: string;
}

/** The steps at which a hint was given, with its text. */
function hints(calls: readonly Call[]): readonly string[] {
  let state: LoopState = noLoop;
  return calls.flatMap(({ command, output, mutates = false, tree = null }, index) => {
    const input: LoopInput = { step: index + 1, command, output, exitCode: 0, mutates, tree };
    const noted = noteLoop(state, input, rules);
    state = noted.state;
    return noted.hint === null ? [] : [`${input.step}: ${noted.hint}`];
  });
}

const run = (command: string, output = `${command} says this`): Call => ({ command, output });
const runs = (names: string): readonly Call[] => names.split(",").map((name) => run(name));
const edit = (n: number, tree?: string): Call => ({
  command: `sed -i 's/x/${n}/' a.py`,
  output: "",
  mutates: true,
  ...(tree === undefined ? {} : { tree }),
});
const test = (tree?: string): Call => ({
  command: "pytest -q",
  output: "F\n1 failed in 0.12s",
  ...(tree === undefined ? {} : { tree }),
});

describe("noteLoop", () => {
  it("lets a poll go on while its output moves", () => {
    const progress = ["10%", "25%", "40%", "70%", "95%", "done"];
    expect(hints(progress.map((output) => run("tail -1 build.log", output)))).toEqual([]);
    const slow = ["40%", "40%", "70%"];
    expect(hints(slow.map((output) => run("sleep 30; tail -1 build.log", output)))).toEqual([]);
  });

  it("speaks at the fourth equal result of one command", () => {
    expect(hints(runs("A,A,A"))).toEqual([]);
    expect(hints(runs("A,A,A,A"))).toEqual([
      "4: This command has given the same output 4 times, and nothing has changed in between.",
    ]);
    expect(hints(runs("A,B,A,C,A,D,A"))).toHaveLength(1);
  });

  it("takes durations and addresses for equal", () => {
    const outputs = ["1 failed in 0.12s <x at 0x7f1234>", "1 failed in 1.02s <x at 0x7f5678>"];
    expect(hints([...outputs, ...outputs].map((output) => run("pytest", output)))).toHaveLength(1);
    const counts = ["1 failed", "2 failed", "3 failed", "4 failed"];
    expect(hints(counts.map((output) => run("pytest", output)))).toEqual([]);
  });

  it.each([
    ["A,B,A,B,A,B", "6: The last 2 commands have now run 3 times in a row with the same outputs."],
    [
      "A,B,C,A,B,C,A,B,C",
      "9: The last 3 commands have now run 3 times in a row with the same outputs.",
    ],
  ])("speaks after the third round of %s", (names, hint) => {
    expect(hints(runs(names))).toEqual([hint]);
  });

  it("is silent when a cycle breaks, or one of its outputs changes", () => {
    expect(hints(runs("A,B,A,C,A,D"))).toEqual([]);
    expect(hints(runs("A,B,A,B,A,C"))).toEqual([]);
    const changing = [1, 2, 3].flatMap((n) => [run("A"), run("B", `output ${n}`)]);
    expect(hints(changing)).toEqual([]);
  });

  it("takes no edit-and-test round for a loop when the edits differ", () => {
    expect(hints([edit(1), test(), edit(2), test(), edit(3), test()])).toEqual([]);
    const known = ["t1", "t2", "t3"].flatMap((tree, n) => [edit(n, tree), test(tree)]);
    expect(hints(known)).toEqual([]);
    const many = Array.from({ length: 8 }, (_, n) => [edit(n), test()]).flat();
    expect(hints(many)).toEqual([]);
  });

  it.each([
    [
      ["t1", "t1", "t1"],
      "6: The tree is the same as at step 1, and so is the result: the edits since then cancel out.",
    ],
    [
      ["t1", "t2", "t1"],
      "6: The tree is the same as at step 1, and so is the result: the edits since then cancel out.",
    ],
  ])("speaks at the third equal result when the edits cancel out (%j)", (trees, hint) => {
    expect(hints(trees.flatMap((tree, n) => [edit(n, tree), test(tree)]))).toEqual([hint]);
  });

  it("counts anew after a hint", () => {
    expect(hints(runs("A,A,A,A,A,A,A"))).toHaveLength(1);
    expect(hints(runs("A,A,A,A,A,A,A,A"))).toHaveLength(2);
  });

  it("speaks when one and the same edit is repeated to no effect", () => {
    const again: Call = { command: "sed -i 's/a/b/' a.py", output: "", mutates: true };
    expect(hints([again, again, again, again])).toHaveLength(1);
  });

  it("keeps a bounded state that survives JSON", () => {
    const anyCall = fc.record({
      command: fc.constantFrom("A", "B", "C"),
      output: fc.constantFrom("x", "y"),
      exitCode: fc.constantFrom(0, 1, null),
      mutates: fc.boolean(),
      tree: fc.constantFrom(null, "t1", "t2"),
    });
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 150 }), (calls) => {
        let state = noLoop;
        for (const [index, call] of calls.entries()) {
          const input = { ...call, step: index + 1 };
          const noted = noteLoop(state, input, rules);
          expect(noteLoop(JSON.parse(JSON.stringify(state)), input, rules)).toEqual(noted);
          state = noted.state;
          expect(state.traces.length).toBeLessThanOrEqual(60);
        }
      }),
    );
  });
});
