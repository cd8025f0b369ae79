import { describe, expect, it } from "vitest";
import { beginning, blocks, type Call, edit, last, read, shownIds, test, walk } from "./episode.ts";

const fix = edit("src/base.py");

describe("the block", () => {
  const look = (file: string): Call => ({
    command: `cat ${file}`,
    output: `class OutputWrapper:\n    # ${file}\n    def flush(self): ...\n`,
  });
  const exploring = ["base", "migrate", "color", "sql", "loader"].map((name) =>
    look(`src/${name}.py`),
  );

  it("is due with the first result and whenever the plan changes, with nodes not shown before", () => {
    const seen = walk([
      ...exploring,
      look("src/base.py"),
      fix,
      { command: fix, evidence: { verdict: "fail" } },
    ]);
    expect(blocks(seen)).toEqual([1, 7, 8]);
    const [first, change, verdict] = [1, 7, 8].map((step) =>
      shownIds(seen[step - 1]?.advice.block ?? null),
    );
    expect(first).toEqual([]);
    expect(change?.length).toBeGreaterThan(0);
    expect(change?.filter((id) => verdict?.includes(id))).toEqual([]);
  });

  it("may show a node again after a backtrack", () => {
    const early = [
      ...exploring,
      ...exploring,
      look("src/base.py"),
      fix,
      test,
      ...Array.from({ length: 5 }, () => fix),
    ];
    const seen = walk(early);
    const at = seen.findIndex(({ advice }) => advice.signal?.backtrack);
    const before = seen.slice(0, at).flatMap(({ advice }) => shownIds(advice.block));
    const again = shownIds(seen[at]?.advice.block ?? null);
    expect(again.filter((id) => before.includes(id)).length).toBeGreaterThan(0);
  });

  it("says what plan and memory know", () => {
    const seen = walk([...exploring, fix]);
    expect(last(seen).advice.block).toMatchInlineSnapshot(`
      "[PLANMEM]
      phase=implement subtask=2/4 "State the root cause" done=1/4 files=src/base.py(2),src/loader.py(1)
      mem #3 src/base.py: class OutputWrapper:
      |     # src/base.py
      |     def flush(self): ...
      mem #5 src/migrate.py: class OutputWrapper:
      |     # src/migrate.py
      |     def flush(self): ...
      mem #2 src/base.py: cat src/base.py
      mem #4 src/migrate.py: cat src/migrate.py
      [/PLANMEM]"
    `);
  });

  it("is not shown with a submission", () => {
    const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff";
    expect(blocks(walk([submit]))).toEqual([]);
  });

  it("carries the hint of a loop", () => {
    const poll: Call = { command: "cat log.txt", output: "waiting\n" };
    const seen = walk([poll, poll, poll, poll], beginning({ planner: { loopHint: { on: true } } }));
    const { hint, block } = last(seen).advice;
    expect(hint).toContain("same output 4 times");
    expect(block).toContain(`note: ${hint}`);
    expect(last(walk([poll, poll, poll, poll])).advice.hint).toBeNull();
  });
});

describe("a turn of several calls", () => {
  const first: Call = { command: "cat src/a.py", index: 1, more: true };
  const second: Call = { command: fix, index: 1 };

  it("is advised once, after its last call", () => {
    const [one, two] = walk([first, second]);
    expect([one?.advice.block, one?.advice.retrieved]).toEqual([null, []]);
    expect(two?.advice.block).toContain("phase=implement");
  });

  it("is one message and its results in memory", () => {
    const { state } = last(walk([first, second]));
    expect(state.memory?.nodes.map(({ id, role }) => `${id} ${role}`)).toEqual([
      "1 user",
      "2 assistant",
      "3 tool",
      "4 tool",
    ]);
  });

  it("brings the hint of an earlier call, and its submission", () => {
    const poll: Call = { command: "cat log.txt", output: "waiting\n", index: 1, more: true };
    const from = beginning({ planner: { loopHint: { on: true } } });
    const polled = walk([poll, poll, poll, poll, { command: "true", index: 1 }], from);
    expect(last(polled).advice).toMatchObject({
      hint: expect.any(String),
      block: expect.stringContaining("same output 4 times"),
    });
    const submit: Call = {
      command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
      index: 1,
      more: true,
    };
    expect(blocks(walk([submit, { command: "true", index: 1 }]))).toEqual([]);
  });

  it("clears what was shown when an earlier call backtracked", () => {
    const failing = Array.from({ length: 9 }, (): Call => ({ command: test, exitCode: 2 }));
    const open: Call = { command: test, exitCode: 2, index: 10, more: true };
    const { state } = last(walk([...failing, open]));
    const shown = { ...state, injection: { ...state.injection, shown: [2, 3, 4, 5] } };
    expect(last(walk([{ command: "true", index: 10 }], shown)).state.injection.shown).not.toEqual(
      expect.arrayContaining([2, 3, 4, 5]),
    );
    expect(state.turn.backtracked).toBe(true);
  });
});

describe("a turn of which nothing ran", () => {
  it("without a call moves the phase and nothing else", () => {
    const before = last(walk([read("src/a.py")])).state;
    const spoken: Call = {
      command: null,
      exitCode: null,
      thought: "I suspect the descriptor.",
      index: 2,
    };
    const { state, advice } = last(walk([spoken], before));
    expect(advice).toMatchObject({ block: null, retrieved: [], action: null });
    expect(advice.signal?.phase).toBe("hypothesize");
    expect(state.memory).toEqual({
      ...before.memory,
      position: (before.memory?.position ?? 0) + 2,
    });
    expect(state.shell).toEqual(before.shell);
  });

  it("because it was refused is classified, and only keeps its place among the messages", () => {
    const before = last(walk([read("src/a.py")])).state;
    const refused: Call = { command: fix, exitCode: null, rejected: true, answers: 2, index: 2 };
    const { state, advice } = last(walk([refused], before));
    expect(advice.detection?.phase).toBe("implement");
    expect(advice.signal?.phase).toBe("explore");
    expect(state).toEqual({
      ...before,
      memory: { ...before.memory, position: (before.memory?.position ?? 0) + 3 },
    });
  });
});

describe("begin", () => {
  it("takes the model's plan, or a fixed one", () => {
    const decomposition = JSON.stringify({
      subtasks: [
        { title: "find flush", phase: "explore", keywords: ["flush"] },
        { title: "call it", phase: "implement", keywords: [] },
        { title: "run migrate", phase: "verify", keywords: [] },
      ],
    });
    const titles = (reply: string | null) =>
      beginning({}, { decomposition: reply }).plan?.queue.map(({ title }) => title);
    expect(titles(decomposition)).toEqual(["find flush", "call it", "run migrate"]);
    expect(titles("no plan")).toHaveLength(4);
    expect(titles(null)).toHaveLength(4);
  });

  it("knows tracked files from a listing", () => {
    const source = (files?: readonly string[]) => {
      const from = beginning({}, files ? { files } : {});
      return last(walk([edit("test_x.py")], from)).advice.detection?.phase;
    };
    expect(source(["test_x.py", "src/a.py"])).toBe("implement");
    expect(source(["src/a.py"])).toBe("hypothesize");
  });

  it("takes what an inspection lists for tracked, where there is no listing", () => {
    const overwrite = "cat > src/check_flow.py <<'EOF'\npass\nEOF";
    const phaseAfter = (output: string) =>
      last(walk([{ command: "find src -name '*.py'", output }, overwrite])).advice.detection?.phase;
    expect(phaseAfter("src/flow.py\nsrc/check_flow.py\n")).toBe("implement");
    expect(phaseAfter("src/flow.py\n")).toBe("hypothesize");
  });
});
