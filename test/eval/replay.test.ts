import { describe, expect, it } from "vitest";
import { replayEpisode } from "../../src/eval/replay.ts";
import { replayLine } from "../../src/eval/replay-line.ts";
import { episodeOf, fullConfig, replayOf, submit, type Told } from "./episodes.ts";

const linesOf = (told: readonly (string | Told)[]) => {
  const replay = replayOf(told);
  return replay.turns.map((turn) => replayLine(replay.instanceId, turn));
};

describe("a replayed step", () => {
  it("is told in full, keys in order", () => {
    const [line] = linesOf([{ commands: ["cat src/area.py | head -40"], output: "side = 2\n" }]);
    expect(JSON.stringify(line)).toMatchInlineSnapshot(
      `"{"instance_id":"shapes__area-7","step":1,"detected":"explore","phase":"explore","action":{"kind":"inspect","normalized":"cat src/area.py","reads":["src/area.py"],"writes":[]},"stuck":null,"hint":null,"retrieved":[],"block":"[PLANMEM]\\nphase=explore subtask=1/4 \\"Find the code that the issue is about\\" done=0/4 files=src/area.py(1)\\n[/PLANMEM]","ms":0}"`,
    );
  });

  it("tells what each command is, reads and may change", () => {
    const lines = linesOf([
      "sed -n '1,9p' src/a.py && cat src/b.py && sed -n '20,30p' src/a.py",
      "sed -i 's/a/b/' src/a.py && rm src/old.py",
      "pytest tests/test_a.py > /tmp/log",
      "git checkout -- src/a.py",
      "git diff > patch.txt",
      submit,
    ]);
    expect(
      lines.map(({ detected, phase, action: { kind, reads, writes } }) => [
        detected,
        phase,
        kind,
        reads,
        writes,
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "explore",
          "explore",
          "inspect",
          [
            "src/a.py",
            "src/b.py",
          ],
          [],
        ],
        [
          "implement",
          "implement",
          "edit",
          [],
          [
            "src/a.py",
            "src/old.py",
          ],
        ],
        [
          "verify",
          "verify",
          "test",
          [
            "tests/test_a.py",
          ],
          [
            "/tmp/log",
          ],
        ],
        [
          "implement",
          "verify",
          "revert",
          [],
          [
            "src/a.py",
          ],
        ],
        [
          null,
          "verify",
          "review",
          [],
          [
            "patch.txt",
          ],
        ],
        [
          null,
          "verify",
          "submit",
          [],
          [],
        ],
      ]
    `);
  });

  it("joins the calls of a turn", () => {
    const [line] = linesOf([{ commands: ["cat src/a.py", "sed -i 's/a/b/' src/a.py", "true"] }]);
    expect(line).toMatchObject({
      detected: "implement",
      phase: "implement",
      action: {
        kind: "edit",
        normalized: "cat src/a.py; sed -i s/a/b/ src/a.py",
        reads: ["src/a.py"],
        writes: ["src/a.py"],
      },
    });
  });

  it("that was rejected is only classified", () => {
    const [, rejected, after] = replayOf([
      "cat src/a.py",
      { commands: ["sed -i 's/a/b/' src/a.py", "pytest"], rejected: true },
      "cat src/b.py",
    ]).turns;
    const line = rejected && replayLine(null, rejected);
    expect(line).toMatchObject({
      detected: "implement",
      phase: "explore",
      action: { kind: "edit", reads: [], writes: [] },
      retrieved: [],
      block: null,
    });
    expect(after?.phase).toBe("explore");
  });

  it("without a call is no command, and may still propose a phase", () => {
    const [, line] = linesOf(["cat src/a.py", { commands: null, thought: "I suspect `area`." }]);
    expect(line).toMatchObject({
      detected: "hypothesize",
      action: { kind: "none", normalized: null, reads: [], writes: [] },
    });
  });

  it("that backtracks says so", () => {
    const lines = linesOf(
      Array.from({ length: 10 }, (): Told => ({ commands: ["pytest"], exitCode: 2 })),
    );
    expect(lines.at(-2)?.stuck).toMatchObject({ signal: "failedReturns", suppressed: "floor" });
    expect(lines.at(-1)).toMatchObject({
      phase: "backtrack",
      stuck: { signal: "failedReturns", suppressed: null, template: "RT-DIAG" },
    });
  });
});

describe("a replay", () => {
  it("keeps node ids at the messages' positions, rejected replies included", () => {
    const { end } = replayOf(["ls", { commands: [], rejected: true }, "cat src/a.py"]);
    expect(end.memory?.nodes.map(({ id, turn }) => [id, turn])).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [6, 3],
      [7, 3],
    ]);
  });

  it("measures the substrate's time on the given clock", () => {
    let time = 0;
    const now = () => {
      time += 5;
      return time;
    };
    const { turns } = replayEpisode(episodeOf(["ls", "ls"]), { config: fullConfig, now });
    expect(turns.map(({ ms }) => ms)).toEqual([5, 5]);
  });

  it("takes the harness's usual folder where the record names none", () => {
    const reads = (fields: object) =>
      replayOf(["cat /workspace/a.py"], {
        workdir: null,
        ...fields,
      }).turns[0]?.advice[0]?.action?.reads.map(({ path }) => path);
    expect(reads({ format: "openhands" })).toEqual(["a.py"]);
    expect(reads({ format: "swe-agent" })).toEqual([]);
  });
});
