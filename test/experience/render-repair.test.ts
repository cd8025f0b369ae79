import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stages } from "../../src/domain/experience.ts";
import { stageMemories } from "../../src/experience/episodes/learn-stages.ts";
import { renderRepair, tokensFor } from "../../src/experience/render-repair.ts";
import type { RepairMemory, RepairText } from "../../src/experience/repair-memory.ts";
import { tokensOf } from "../../src/substrate/memory/text.ts";
import { pastEpisode } from "./past-episodes.ts";
import { issue } from "./repair-memories.ts";

const memories = stageMemories(pastEpisode());
const ofStage = (stage: RepairMemory["stage"]) => {
  const memory = memories.findLast((one) => one.stage === stage);
  if (memory === undefined) throw new Error(`no memory of ${stage}`);
  return memory;
};

describe("renderRepair", () => {
  it("tells what failed, what it gave, and what came to work", () => {
    expect(renderRepair(ofStage("ref"), 300)).toMatchInlineSnapshot(`
      "form-1, KeyError (resolved): KeyError when an empty form is saved
      At: src/form.py: def save(data):
      A change that failed: sed -i 's/return/  return/' src/form.py && python repro.py
      It gave:
      Traceback (most recent call last):
        File "repro.py", line 2, in <module>
          save({})
      KeyError: 'name'
      What came to work:
      +++ b/src/form.py
      @@ -1 +1 @@ def save(data):
      -    return data['name']
      +    return data.get('name')
      Which gave: === 3 passed in 0.12s ==="
    `);
  });

  it("tells where an issue was", () => {
    expect(renderRepair(ofStage("loc"), 300)).toMatchInlineSnapshot(`
      "form-1, KeyError (resolved): KeyError when an empty form is saved
      Read on the way: src/form.py
      Changed in the end: src/form.py: def save(data):"
    `);
  });

  it("keeps of a long patch what it changes", () => {
    const context = Array.from({ length: 40 }, (_, at) => ` unchanged ${at}`).join("\n");
    const artifact = `--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n${context}\n-old\n+new`;
    const text = renderRepair({ ...ofStage("ref"), artifact }, 200);
    expect(text).toContain("+++ b/x.py\n@@ -1 +1 @@\n-old\n+new");
    expect(text).not.toContain("unchanged");
  });

  it("shows the end of an output", () => {
    const failureFeedback = `${"x\n".repeat(3000)}KeyError: 'name'`;
    expect(renderRepair({ ...ofStage("ref"), failureFeedback }, 200)).toContain("KeyError: 'name'");
  });

  it("says whether the issue was resolved", () => {
    const outcome = { reproduced: true, patchApplied: true, verified: false };
    const text = renderRepair({ ...ofStage("ref"), outcome }, 100);
    expect(text).toContain("(not known to be resolved)");
  });

  it("never takes more than its tokens, whatever it is given", () => {
    const field = fc.string({ maxLength: 2000, unit: "binary" });
    const texts: fc.Arbitrary<RepairText> = fc.record({
      repairType: fc.constant("GenericError"),
      retrievedContext: field,
      failedAttempt: field,
      failureFeedback: field,
      artifact: field,
      successfulOutput: field,
      outcome: fc.record({
        reproduced: fc.boolean(),
        patchApplied: fc.boolean(),
        verified: fc.boolean(),
      }),
    });
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...stages),
        fc.integer({ min: 1, max: 300 }),
        field,
        (text, stage, tokens, words) => {
          const memory = { ...text, stage, from: issue("a", { issue: words }) };
          expect(tokensOf(renderRepair(memory, tokens))).toBeLessThanOrEqual(tokens);
        },
      ),
    );
  });
});

it("shares a room among those who are in it", () => {
  expect([tokensFor(600, 0), tokensFor(600, 1), tokensFor(600, 3)]).toEqual([510, 510, 170]);
});
