import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import {
  beginEvent,
  call,
  episodeEvents,
  observed,
  promptEvent,
  reply,
} from "../trajectories/recorded-episode.ts";
import { recordingOf } from "./recordings.ts";

const run = "20261130-142501-ab12";

describe("a recording of a run", () => {
  const recording = recordingOf(episodeEvents(run));

  it("says how the run went and what it took", () => {
    expect(recording).toMatchObject({
      source: "run",
      instanceId: "shapes__area-7",
      status: "submitted",
      reason: "submitted at step 5",
      activity: null,
      notices: ["2 files were left out of the copy."],
      patch: { files: ["area.py"] },
      tokens: { input: 5000, cached: 2000, output: 250 },
      seconds: 75.5,
    });
    expect(recording.cost).toBeCloseTo(0.0125, 12);
  });

  it("holds every turn with its calls, refusals and failed model calls", () => {
    const turns = recording.turns.map(({ index, calls, refusal, retries, complete }) => ({
      index,
      ran: calls.map(({ command, outcome }) => [command, outcome?.exitCode ?? null]),
      refusal,
      retries,
      complete,
    }));
    const plain = { refusal: null, retries: [], complete: true };
    expect(turns).toEqual([
      {
        ...plain,
        index: 1,
        ran: [
          ["cat area.py", 0],
          ["cat missing.py", 1],
        ],
      },
      {
        ...plain,
        index: 2,
        ran: [['{"unparsed":"{\\"command\\": \\"ls"}', null]],
        refusal: "Not run: its arguments are no JSON.",
      },
      { ...plain, index: 3, ran: [], refusal: "Your reply held no call." },
      {
        ...plain,
        index: 4,
        ran: [["python serve.py", 124]],
        retries: ["Model call failed (1 of 10), again in 2 s: 529 overloaded"],
      },
      { ...plain, index: 5, ran: [["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", 0]] },
    ]);
  });

  it("hands the substrate what the loop handed to it", () => {
    const steps = recording.turns.flatMap((turn) => turn.observed.map(({ step }) => step));
    expect(
      steps.map(({ index, command, more, rejected }) => [index, command, more, rejected]),
    ).toEqual([
      [1, "cat area.py", true, undefined],
      [1, "cat missing.py", false, undefined],
      [2, null, undefined, true],
      [3, null, undefined, true],
      [4, "python serve.py", false, undefined],
      [5, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", false, undefined],
    ]);
  });
});

describe("a recording of a run that goes on", () => {
  const asked = reply(1, "Look.", [call("c1", "cat area.py"), call("c2", "ls")]);
  const starts: EpisodeEvent = { type: "command", step: 1, callId: "c1", command: "cat area.py" };

  it.each<[string, readonly EpisodeEvent[], string, boolean[]]>([
    ["before the first reply", [], "model", []],
    ["while a command runs", [asked, starts], "command", [false]],
    ["between two calls", [asked, starts, observed(1, "c1", "")], "model", [false]],
    [
      "after the last call",
      [asked, starts, observed(1, "c1", ""), observed(1, "c2", "")],
      "model",
      [true],
    ],
  ])("says what it is at %s", (_, events, kind, complete) => {
    const begun = [{ ...beginEvent(run), config: bare() } as EpisodeEvent, promptEvent];
    const recording = recordingOf([...begun, ...events]);
    expect(recording.status).toBe("running");
    expect(recording.activity?.kind).toBe(kind);
    expect(recording.turns.map((turn) => turn.complete)).toEqual(complete);
  });
});

/** A configuration without planner and memory, for which nothing follows an observation. */
function bare() {
  const begin = beginEvent(run);
  if (begin.type !== "begin") throw new Error("no begin event");
  const { config } = begin;
  return {
    ...config,
    planner: { ...config.planner, on: false },
    memory: { ...config.memory, on: false },
  };
}
