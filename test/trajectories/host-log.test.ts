import { describe, expect, it } from "vitest";
import { hostRecord, type StepRecord, sessionRecord } from "../../src/trajectories/host-log.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";

const session = sessionRecord({ host: "pi", session: "s-1", root: "/repo" });
const task = { type: "task", text: "parse() drops the minutes" } as const;
const step = (id: string | null, command: string, more: Partial<StepRecord> = {}) =>
  ({
    type: "step",
    id,
    thought: "",
    command,
    output: "out",
    exitCode: 0,
    timedOut: false,
    ...more,
  }) as const;

const read = (...records: readonly object[]) =>
  readTrajectories(records.map((record) => `${JSON.stringify(record)}\n`).join(""), "s-1.jsonl");

describe("a session's log", () => {
  it("is an episode, calls of one reply in one turn", () => {
    const calls = [
      step("a", "ls", { thought: "Look", more: true }),
      step("b", "cat x"),
      step(null, "make", { exitCode: 2 }),
    ];
    expect(read(session, task, ...calls)).toEqual([
      {
        format: "pmcoder-host",
        instanceId: "s-1",
        task: task.text,
        model: null,
        workdir: "/repo",
        exitStatus: null,
        submission: null,
        cut: false,
        turns: [
          {
            index: 1,
            thought: "Look",
            content: "Look",
            rejected: false,
            calls: [
              { id: "a", command: "ls", result: { output: "out", exitCode: 0, timedOut: false } },
              {
                id: "b",
                command: "cat x",
                result: { output: "out", exitCode: 0, timedOut: false },
              },
            ],
          },
          {
            index: 2,
            thought: "",
            content: "",
            rejected: false,
            calls: [
              {
                id: "call_2_1",
                command: "make",
                result: { output: "out", exitCode: 2, timedOut: false },
              },
            ],
          },
        ],
      },
    ]);
  });

  it("is as many episodes as tasks, and steps before the first have none", () => {
    const episodes = read(session, step("a", "ls"), task, step("b", "ls"), {
      ...task,
      text: "more",
    });
    expect(
      episodes.map(({ instanceId, task: text, turns }) => [instanceId, text, turns.length]),
    ).toEqual([
      ["s-1#1", "", 1],
      ["s-1#2", task.text, 1],
      ["s-1#3", "more", 0],
    ]);
  });

  it("tells a call once, and leaves out what is no record", () => {
    const [episode] = read(
      session,
      step("a", "ls"),
      { type: "dream" },
      step("a", "ls"),
      step("a", "ls b"),
      3 as never,
    );
    expect(episode?.turns.map(({ calls }) => calls[0]?.command)).toEqual(["ls", "ls b"]);
  });

  it("is cut where its last line is", () => {
    const text = [session, task, step("a", "ls")]
      .map((record) => JSON.stringify(record))
      .join("\n");
    const [whole] = readTrajectories(`${text}\n`, "x");
    const [cut] = readTrajectories(`${text}\n{"type":"st`, "x");
    expect([whole?.cut, cut?.cut, cut?.turns.length]).toEqual([false, true, 1]);
  });

  it("of another version is refused", () => {
    expect(() => read({ ...session, version: 2 }, task)).toThrow(
      's-1.jsonl: expected a session\'s log of version 1, found {"type":"session","format":"pmcoder-host","version":2',
    );
  });
});

it.each([
  ["{}"],
  ["null"],
  ['"step"'],
  ['{"type":"step"}'],
  ['{"type":"constructor"}'],
  ['{"type":"verdict","verdict":"maybe"}'],
  [JSON.stringify(step("a", "ls", { exitCode: "0" as never }))],
  [JSON.stringify(step(3 as never, "ls"))],
  [JSON.stringify(session).slice(0, -5)],
])("%s is no record", (line) => {
  expect(hostRecord(line)).toBeNull();
});
