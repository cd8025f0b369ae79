import { describe, expect, it } from "vitest";
import type { Moment } from "../../src/agent/consult.ts";
import { addBreakpoint, isHit, passedAt, writtenAs } from "../../src/cli/breakpoints.ts";
import { edit, last, read, walk } from "../substrate/episode.ts";

const { state } = last(walk([read("src/a.py"), edit("src/a.py")]));

function at(change: Partial<Moment> = {}): Moment {
  const runFirst = () => Promise.reject(new Error("nothing runs here"));
  const call = { step: 3, thought: "", callId: "c", command: "cat src/b.py" };
  return { ...call, state, stuck: null, runFirst, ...change };
}

const reading = (text: string) => addBreakpoint(text, []);

describe("addBreakpoint", () => {
  it.each(["step=12", "phase=implement", "phase=backtrack", "file=src/x y.py", "stuck"])(
    "reads %s",
    (text) => {
      expect(reading(text).map(writtenAs)).toEqual([text]);
    },
  );

  it.each(["", "step=0", "step=-1", "step=x", "phase=later", "file=", "sticky", "step"])(
    "refuses %j",
    (text) => {
      expect(() => reading(text)).toThrow(
        "Expected step=N, phase=explore|hypothesize|implement|verify|backtrack, file=PATH or stuck.",
      );
    },
  );
});

describe("isHit", () => {
  const implementing = { step: 2, phase: "implement" } as const;
  const exploring = { step: 3, phase: "explore" } as const;

  it.each([
    ["step=3", {}, implementing, true],
    ["step=3", {}, exploring, false],
    ["step=4", {}, implementing, false],
    ["phase=implement", {}, exploring, true],
    ["phase=implement", {}, null, true],
    ["phase=implement", {}, implementing, false],
    ["phase=implement", { state: null }, exploring, false],
    ["file=src/b.py", {}, null, true],
    ["file=b.py", {}, null, true],
    ["file=./src/b.py", {}, null, true],
    ["file=a.py", {}, null, false],
    ["file=a.py", { command: "cd src && rm a.py" }, null, true],
    ["file=b.py", { state: null }, null, true],
    ["stuck", {}, null, false],
    ["stuck", { stuck: "5 commands in a row failed" }, null, true],
  ] as const)("%s with %j after %j: %s", (text, change, before, hit) => {
    expect(reading(text).map((point) => isHit(point, at(change), before))).toEqual([hit]);
  });

  it("compares with where the command before stood", () => {
    expect(passedAt(at())).toEqual({ step: 3, phase: "implement" });
    expect(passedAt(at({ state: null }))).toEqual({ step: 3, phase: null });
  });
});
