import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { pastEpisodeOf } from "../../src/experience/past-episode.ts";
import { judged, observed, replied, started } from "../agent/turn-events.ts";
import { plain } from "../workflows/swe-exp/grown.ts";

const from = { instanceId: "p__p-1", repo: "p/p", issue: "x", createdAt: 1 };
const begin = {
  type: "begin",
  run: "run-1",
  task: "x",
  environment: { kind: "docker", workdir: "/testbed" },
} as EpisodeEvent;

/** One command a step, with its exit status. */
const episode = (...commands: readonly (readonly [string, number])[]): readonly EpisodeEvent[] => [
  begin,
  ...commands.flatMap(([command, exitCode], at) => [
    replied(at + 1, command),
    started(at + 1, 1, command),
    observed(at + 1, 1, { exitCode, output: "" }),
  ]),
];

const edit = ["sed -i s/1/2/ src/a.py", 0] as const;
const tests = (exitCode: number) => ["python -m pytest tests", exitCode] as const;
const resolved = (events: readonly EpisodeEvent[], patch = "diff") =>
  pastEpisodeOf(events, patch, from)?.resolved;

describe("a run as memories learn from it", () => {
  it("holds its commands with what was thought before them", () => {
    const past = pastEpisodeOf(episode(edit, tests(0)), "diff", from);
    expect(past).toMatchObject({ from, source: "run-1", root: "/testbed", patch: "diff" });
    expect(past?.steps[1]).toMatchObject({ index: 2, thought: "turn 2", command: tests(0)[0] });
  });

  it.each([
    ["tests pass after the last edit", episode(edit, tests(0)), true],
    ["tests fail after the last edit", episode(edit, tests(1)), false],
    ["tests passed, and then it was edited", episode(edit, tests(0), edit), false],
    ["no tests ran", episode(edit, ["python repro.py", 0]), false],
    ["nothing was edited", episode(tests(0)), false],
    [
      "the script passes, whatever tests say",
      [...episode(edit, tests(1)), judged(2, "pass")],
      true,
    ],
    [
      "the script fails, whatever tests say",
      [...episode(edit, tests(0)), judged(2, "fail")],
      false,
    ],
    ["the script gave no answer", [...episode(edit, tests(0)), judged(2, "undefined")], true],
  ])("is judged by its own evidence: %s", (_, events, expected) => {
    expect(resolved(events)).toBe(expected);
  });

  it("is no success without a patch, and nothing without a beginning", () => {
    expect(resolved(episode(edit, tests(0)), "")).toBe(false);
    expect(pastEpisodeOf([], "diff", from)).toBeNull();
  });

  it("is a path of its search, and nothing where nothing judged that", () => {
    const action = { tool: "ViewCode", input: { path: "a" } };
    const node = { type: "node", step: 2, ...plain, id: 1, parent: 0, action } as const;
    const search = [...episode(edit), node];
    expect(pastEpisodeOf(search, "diff", from)).toBeNull();
    const past = pastEpisodeOf([...search, judged(1, "fail")], "diff", from);
    expect(past?.steps.map(({ command }) => command)).toEqual(['ViewCode {"path":"a"}']);
  });
});
