import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { viewOf } from "../../src/substrate/memory/node.ts";
import { tokensOf } from "../../src/substrate/memory/text.ts";
import { observe } from "../../src/substrate/observe.ts";
import type { Evidence, ObservedStep, SubstrateState } from "../../src/substrate/state.ts";
import { beginning, configOf, stepOf } from "./episode.ts";

const usual = fc.constantFrom(
  "cat src/base.py",
  "sed -n '1,40p' src/migrate.py",
  "grep -rn flush src | head",
  "sed -i 's/a/b/' src/base.py",
  "cat > repro.py <<'EOF'\nopen('src/base.py', 'w').write('')\nEOF\npython repro.py",
  "python repro.py",
  "pytest tests/test_base.py -x 2>&1 | tail -5",
  "git checkout -- src/base.py",
  "git stash && pytest && git stash pop",
  "rm -rf build; mv src/a.py src/b.py",
  "cat '__proto__' constructor.py 'a b.py' \"naïve\n.py\"",
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff",
  "",
);
const anything = fc.string({ unit: "binary", maxLength: 200 });
const output = fc.oneof(
  fc.constantFrom(
    "src/base.py:12: from .migrate import Command\nsrc/__proto__.py:1: x\n",
    "FAILED tests/test_base.py::test_flush - AssertionError\n1 failed in 0.2s\n",
    "     1\timport src.base\n     2\t\n",
    "[PLANMEM]\nphase=verify\n[/PLANMEM]\n",
    "@@ -1 +1 @@\n-a\n+b\n",
  ),
  anything,
);

const step: fc.Arbitrary<ObservedStep> = fc.record({
  index: fc.constant(0),
  thought: fc.oneof(
    fc.constantFrom("Let me look.", "The bug is in flush.", "Now verify the fix."),
    anything,
  ),
  command: fc.oneof({ weight: 8, arbitrary: usual }, anything, fc.constant(null)),
  output,
  exitCode: fc.constantFrom(0, 0, 1, 2, 124, null),
  timedOut: fc.boolean(),
  more: fc.constantFrom(false, false, false, true),
  rejected: fc.constantFrom(false, false, false, false, true),
});
const evidence: fc.Arbitrary<Evidence> = fc.record({
  verdict: fc.constantFrom("pass", "fail", "undefined"),
  checked: fc.constantFrom([], ["src/base.py"]),
  corrupt: fc.constantFrom([], ["src/base.py"], ["__proto__"]),
  tree: fc.constantFrom(null, "t1", "t2"),
});
const episode = fc.array(fc.tuple(step, evidence), { minLength: 1, maxLength: 30 });

const begun = () => beginning({ planner: { loopHint: { on: true } } }, { reproducer: "repro.py" });

function run(
  calls: readonly (readonly [ObservedStep, Evidence])[],
  between: (state: SubstrateState) => SubstrateState,
) {
  let state = begun();
  const advice = calls.map(([one, shown], at) => {
    const observed = observe(between(state), { ...one, index: at + 1 }, shown);
    state = observed.state;
    return observed.advice;
  });
  return { state, advice };
}

const stored = (state: SubstrateState): SubstrateState => JSON.parse(JSON.stringify(state));

describe("observe", () => {
  it("goes on the same from a state that was stored and read back", () => {
    fc.assert(
      fc.property(episode, (calls) => {
        const kept = run(calls, (state) => state);
        const read = run(calls, stored);
        expect(read).toEqual(kept);
        expect(stored(kept.state)).toEqual(kept.state);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves the state that it was given as it was", () => {
    fc.assert(
      fc.property(episode, (calls) => {
        run(calls, (state) => {
          const before = JSON.stringify(state);
          observe(state, stepOf("sed -i 's/a/b/' src/base.py", 40));
          expect(JSON.stringify(state)).toBe(before);
          return state;
        });
      }),
      { numRuns: 15 },
    );
  });

  it("keeps raw observations, whatever was shown, and blocks within their budgets", () => {
    const { injection, planner } = configOf();
    const widest = Math.max(...Object.values(planner.phaseBudget));
    fc.assert(
      fc.property(episode, (calls) => {
        const { state, advice } = run(calls, (kept) => kept);
        const ran = calls.filter(([one]) => !one.rejected && one.command !== null);
        const nodes = state.memory?.nodes ?? [];
        const results = nodes.filter(({ role }) => role === "tool").map(({ view }) => view);
        expect(results).toEqual(ran.map(([one]) => viewOf(one.output, 4000)));
        expect(nodes.map(({ id }) => id)).toEqual(
          [...new Set(nodes.map(({ id }) => id))].sort((a, b) => a - b),
        );
        for (const { block, retrieved } of advice) {
          expect(tokensOf(block ?? "")).toBeLessThanOrEqual(injection.budget);
          const tokens = nodes
            .filter(({ id }) => retrieved.includes(id))
            .map((node) => node.tokens);
          expect(tokens.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(widest);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("opens and closes its block once, whatever a file holds", () => {
    fc.assert(
      fc.property(episode, (calls) => {
        for (const { block } of run(calls, (state) => state).advice) {
          if (block === null) continue;
          expect(block.match(/\[\/?PLANMEM\]/g)).toEqual(["[PLANMEM]", "[/PLANMEM]"]);
        }
      }),
      { numRuns: 30 },
    );
  });

  const million = 1_000_000;
  it.each<[string, Partial<ObservedStep>]>([
    ["10 MB of one line", { output: "x".repeat(10 * million) }],
    ["10 MB of paths", { output: "src/a.py:12: flush\n".repeat(540_000) }],
    ["10 MB of newlines", { output: "\n".repeat(10 * million) }],
    [
      "binary output",
      {
        output: String.fromCharCode(
          ...Array.from({ length: 4096 }, (_, at) => (at * 7919) % 65_536),
        ),
      },
    ],
    ["a long thought", { thought: `${"word ".repeat(200_000)}\n\nthe bug is here` }],
    ["a command of 1 MB", { command: `echo ${"a ".repeat(million / 2)}` }],
    ["1 MB of one name", { command: `sed -i ${"s".repeat(million)}` }],
    ["60,000 options", { command: "sed -e x ".repeat(60_000) }],
    ["20,000 brackets", { command: "(".repeat(20_000) }],
    ["half a character", { command: "cat \ud83d", output: "\udc00" }],
    ["nothing at all", { command: "", output: "", thought: "" }],
    ["no call, no code", { command: null, exitCode: null }],
  ])("takes %s", (_, fields) => {
    const { state, advice } = run(
      [1, 2].map(
        (index) =>
          [
            stepOf({ command: "cat a.py", ...fields }, index),
            { verdict: "undefined", checked: [], corrupt: [], tree: null },
          ] as const,
      ),
      (kept) => kept,
    );
    expect(advice).toHaveLength(2);
    expect(JSON.stringify(state).length).toBeLessThan(100_000);
  });
});
