import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PastEpisode } from "../../../src/domain/experience.ts";
import { ownEvidence, stageMemories } from "../../../src/experience/episodes/learn-stages.ts";
import { keyError, pastEpisode, type Ran, repair, repairPatch, shows } from "../past-episodes.ts";

const told = (episode: PastEpisode) =>
  stageMemories(episode).map(({ stage, artifact }) => `${stage}: ${artifact.split("\n")[0]}`);

describe("stageMemories", () => {
  it("tells the stages of a repair", () => {
    expect(told(pastEpisode())).toMatchInlineSnapshot(`
      [
        "rep: from src.form import save",
        "rep: from src.form import save",
        "loc: src/form.py: def save(data):",
        "ref: diff --git a/src/form.py b/src/form.py",
        "val: from src.form import save",
        "val: python -m pytest tests/test_form.py",
      ]
    `);
  });

  it("pairs what failed with what came to work", () => {
    const memories = stageMemories(pastEpisode());
    const [first, mended] = memories.filter(({ stage }) => stage === "rep");
    expect(first).toMatchObject({ failedAttempt: "", artifact: shows, successfulOutput: keyError });
    expect(mended).toMatchObject({ failedAttempt: "save({})", repairType: "KeyError" });
    expect(mended?.failureFeedback).toMatch(/NameError/);
    expect(memories.find(({ stage }) => stage === "ref")).toMatchObject({
      failedAttempt: "sed -i 's/return/  return/' src/form.py && python repro.py",
      failureFeedback: keyError,
      artifact: repairPatch.trim(),
      successfulOutput: "=== 3 passed in 0.12s ===",
      retrievedContext: "src/form.py: def save(data):",
      outcome: { reproduced: true, patchApplied: true, verified: true },
    });
    expect(memories.find(({ stage }) => stage === "loc")?.retrievedContext).toBe("src/form.py");
  });

  const without = (...gone: readonly number[]) => repair.filter((_, at) => !gone.includes(at));
  it.each([
    ["an issue that was not resolved has no places", { resolved: false }, ["rep", "ref", "val"]],
    ["no patch, no repair", { patch: "" }, ["rep"]],
    [
      "a first change that works is a generated patch",
      { ran: without(3) },
      ["rep", "loc", "gen", "val"],
    ],
    ["nothing was shown", { ran: without(1, 2, 3, 5) }, ["loc", "gen", "val"]],
    ["nothing at all", { ran: [], patch: "", resolved: false }, []],
  ])("%s", (_, given, stages) => {
    expect([...new Set(stageMemories(pastEpisode(given)).map(({ stage }) => stage))]).toEqual(
      stages,
    );
  });

  const probe = (output: string, code = 0): Ran => [`python -c 'f()'`, code, output];
  const edit: Ran = ["sed -i s/1/2/ src/form.py", 0, ""];
  it.each([
    ["gave something else after the change", [probe("1"), edit, probe("2")], true],
    ["gave the same after it", [probe("1"), edit, probe("1")], false],
    [
      "gave the same but for an address",
      [probe("<f at 0x7f1>"), edit, probe("<f at 0x9a2>")],
      false,
    ],
    ["failed as the issue says", [probe("KeyError: 'x'", 1)], true],
    ["failed otherwise", [probe("ImportError: x", 1)], false],
    ["failed by its own assertion", [probe("AssertionError", 1)], true],
    ["never failed", [probe("fine")], false],
  ])("a script that %s shows the issue: %#", (_, ran, shown) => {
    const memories = stageMemories(pastEpisode({ ran }));
    expect(memories.some(({ stage }) => stage === "rep")).toBe(shown);
  });

  it("takes any commands and outputs, and keeps its texts short", () => {
    const ran = fc.tuple(
      fc.oneof(fc.string(), fc.constantFrom(...repair.map(([command]) => command))),
      fc.option(fc.integer({ min: 0, max: 255 })),
      fc.string({ maxLength: 3000 }),
    );
    fc.assert(
      fc.property(fc.array(ran, { maxLength: 12 }), fc.string(), (steps, patch) => {
        for (const memory of stageMemories(pastEpisode({ ran: steps, patch }))) {
          expect(memory.artifact.length).toBeLessThanOrEqual(4000);
          expect(memory.successfulOutput.length).toBeLessThanOrEqual(2000);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("ownEvidence", () => {
  it.each([
    ["the last state passed", {}, true],
    ["no patch", { patch: " " }, false],
    ["the last check failed", { ran: repair.slice(0, 4) }, false],
    ["nothing was checked", { ran: repair.slice(0, 1) }, false],
    [
      "tests failed behind a pipe",
      { ran: [...repair.slice(0, 6), ["pytest tests | tail -1", 0, "=== 1 failed in 0.1s ==="]] },
      false,
    ],
    [
      "a runner that is missing says nothing",
      { ran: [...repair.slice(0, 6), ["pytest tests", 127, "pytest: command not found"]] },
      true,
    ],
  ] as const)("%s", (_, given, proven) => {
    expect(ownEvidence(pastEpisode(given))).toBe(proven);
  });
});
