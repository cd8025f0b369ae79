import { describe, expect, it } from "vitest";
import type { PolicyPhase } from "../../src/domain/phase.ts";
import { anchorFor, policyFor } from "../../src/substrate/couplings.ts";
import { recall } from "../../src/substrate/recall.ts";
import { beginning, blocks, type Call, configOf, edit, last, read, test, walk } from "./episode.ts";

const source = (file: string): Call =>
  read(
    `src/${file}.py`,
    `import src.base\nclass OutputWrapper:\n    """${file}"""\n    def flush(self): return ${file}\n`.repeat(
      4,
    ),
  );

/** Enough of an episode that phase and sub-task could make a difference. */
const episode: readonly Call[] = [
  ...["base", "migrate", "color", "sql", "loader", "utils", "writer"].map(source),
  edit("src/base.py"),
  { command: test, exitCode: 1, output: "FAILED tests/test_base.py::test_flush\n" },
  source("settings"),
];

const { state, advice } = last(walk(episode));
const { memory } = state;
const { signal } = advice;
if (!memory || !signal) throw new Error("the episode has a plan and a memory");

const phases: readonly PolicyPhase[] = [
  "explore",
  "hypothesize",
  "implement",
  "verify",
  "backtrack",
];
const retrievals = (config: ReturnType<typeof configOf>, change: (phase: PolicyPhase) => object) =>
  phases.map((phase) => recall(memory, { ...signal, ...change(phase) }, config).retrieved.join());

describe("phase → retrieval", () => {
  const inPhase = (policyPhase: PolicyPhase) => ({
    policyPhase,
    tokenBudget: policyPhase === "implement" ? 900 : 2000,
  });

  it("gives each phase its own retrieval", () => {
    expect(new Set(retrievals(configOf(), inPhase)).size).toBeGreaterThan(2);
    expect(
      phases.map((phase) => policyFor({ ...signal, ...inPhase(phase) }, configOf()).lambda),
    ).toEqual([0.6, 0.7, 0.8, 0.7, 0.6]);
  });

  it("uncoupled gives every phase the same", () => {
    const apart = configOf({ couplings: { phaseRetrieval: false } });
    expect(new Set(retrievals(apart, inPhase)).size).toBe(1);
    expect(policyFor(signal, apart)).toEqual({
      budget: 16_000,
      lambda: 0.7,
      wc: 0.5,
      wg: 0.5,
      beam: 3,
      files: 2,
    });
  });
});

describe("sub-task → retrieval", () => {
  const ask = (keyword: string) => {
    const activeSubTask = signal.activeSubTask && {
      ...signal.activeSubTask,
      title: keyword,
      keywords: [keyword],
      files: [],
    };
    return { ...signal, activeSubTask };
  };

  it("asks for the words of the active sub-task", () => {
    expect(anchorFor(memory, ask("loader"), configOf()).words).toContain("loader");
    const first = (word: string) => recall(memory, ask(word), configOf()).retrieved[0];
    expect(first("loader")).not.toBe(first("color"));
  });

  it("uncoupled asks the same whatever the sub-task", () => {
    const apart = configOf({ couplings: { subtaskRetrieval: false } });
    expect(anchorFor(memory, ask("loader"), apart)).toEqual(anchorFor(memory, ask("color"), apart));
    expect(anchorFor(memory, ask("loader"), apart)).toEqual(anchorFor(memory, null, apart));
    expect(recall(memory, ask("loader"), apart).retrieved).toEqual(
      recall(memory, ask("color"), apart).retrieved,
    );
  });
});

describe("statistics → plan", () => {
  const churn = Array.from({ length: 12 }, () => edit("src/base.py"));
  const failing = Array.from({ length: 12 }, (): Call => ({ command: test, exitCode: 2 }));
  const backtracks = (calls: readonly Call[], couplings: object) =>
    last(walk(calls, beginning({ couplings }))).advice.signal?.backtracks;

  it("declares the agent stuck", () => {
    expect(backtracks(churn, {})).toBe(1);
  });

  it("uncoupled leaves only the planner's own count of failures", () => {
    expect(backtracks(churn, { statsPlan: false })).toBe(0);
    expect(backtracks(failing, { statsPlan: false })).toBe(1);
  });
});

describe("verdict → plan", () => {
  const fixed: readonly Call[] = [
    edit("src/base.py"),
    { command: test, evidence: { verdict: "fail" } },
  ];
  const completes = (couplings: object) =>
    last(walk(fixed, beginning({ couplings }))).state.plan?.queue.at(-1)?.status;

  it("keeps verification open while the reproduction fails", () => {
    expect(completes({})).toBe("pending");
  });

  it("uncoupled lets a passing test run complete it", () => {
    expect(completes({ verdictPlan: false })).toBe("done");
  });
});

describe("the arms", () => {
  it("plan-only has a header and notes, and counts failures itself", () => {
    const from = beginning({ memory: { on: false } });
    const seen = walk([...episode, edit("src/base.py")], from);
    expect(last(seen).state.memory).toBeNull();
    expect(seen.map(({ advice: { block } }) => block ?? "").join()).not.toMatch(/mem #|files=/);
    expect(blocks(seen)[0]).toBe(1);
    const failing = Array.from({ length: 10 }, (): Call => ({ command: test, exitCode: 2 }));
    expect(last(walk(failing, from)).advice.stuck).toMatchObject({
      signal: "failedReturns",
      suppressed: null,
    });
  });

  it("memory-only has recalled nodes alone, five steps apart at least", () => {
    const seen = walk([...episode, ...episode], beginning({ planner: { on: false } }));
    const shown = blocks(seen);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every((step, at) => at === 0 || step - (shown[at - 1] ?? 0) >= 5)).toBe(true);
    expect(seen.map(({ advice: { block } }) => block ?? "").join()).not.toMatch(/phase=|note:/);
    expect(last(seen).advice).toMatchObject({
      signal: null,
      detection: null,
      stuck: null,
      hint: null,
    });
  });

  it("without injection retrieves, and shows nothing", () => {
    const seen = walk(episode, beginning({ injection: { on: false } }));
    expect(blocks(seen)).toEqual([]);
    expect(last(seen).advice.retrieved).toEqual(advice.retrieved);
  });

  it("with a placebo shows other lines at the same steps, in as many characters", () => {
    const real = walk(episode);
    const placebo = walk(episode, beginning({ injection: { placebo: true } }));
    expect(blocks(placebo)).toEqual(blocks(real));
    const lengths = (seen: typeof real) => seen.map(({ advice: { block } }) => block?.length ?? 0);
    expect(lengths(placebo)).toEqual(lengths(real));
    expect(placebo.map(({ advice: { block } }) => block)).not.toEqual(
      real.map(({ advice: { block } }) => block),
    );
  });

  it("with everything off knows what was run and nothing else", () => {
    const off = { planner: { on: false }, memory: { on: false }, injection: { on: false } };
    const { state: end, advice: said } = last(walk(episode, beginning(off)));
    expect([end.plan, end.memory, said.block, said.hint]).toEqual([null, null, null, null]);
    expect(said.action?.reads.map(({ path }) => path)).toEqual(["src/settings.py"]);
  });
});
