import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phases } from "../../../src/domain/phase.ts";
import { advancePlan } from "../../../src/substrate/planner/plan.ts";
import {
  action,
  call,
  editing,
  options,
  quietStats,
  reading,
  reverting,
  running,
  scratching,
  start,
  testing,
} from "./calls.ts";

const look = reading("src/base.py");
const probe = running("repro.py");
const fix = editing("src/base.py");
const install = action("setup");

describe("any episode", () => {
  const anyAction = fc.constantFrom(
    null,
    look,
    probe,
    fix,
    testing,
    install,
    scratching("repro.py"),
    reverting(),
    reverting("src/base.py"),
    action("review"),
    action("submit"),
    action("edit", { unresolved: true }),
    action("other"),
  );
  const anyCall = fc.record({
    action: anyAction,
    text: fc.constantFrom("", "Let me look", "the root cause is x", "verify the fix", "\0\ud800"),
    command: fc.constantFrom("", "sed -i '1i print(1)' a.py", "x".repeat(999)),
    preparesEdit: fc.boolean(),
    exitCode: fc.constantFrom(0, 1, 124, null),
    output: fc.constantFrom("", "1 failed in 1s", "OK"),
    verdict: fc.constantFrom("pass" as const, "fail" as const, "undefined" as const),
    stats: fc.option(
      fc.record({
        readsSinceCheck: fc.nat(20),
        consecutiveFailures: fc.nat(6),
        editsSinceReset: fc.dictionary(fc.string(), fc.nat(7)),
        actionCount: fc.dictionary(fc.string(), fc.nat(9)),
        corrupt: fc.array(fc.string(), { maxLength: 2 }),
      }),
    ),
  });
  const withStats = ({
    stats,
    ...rest
  }: typeof anyCall extends fc.Arbitrary<infer T> ? T : never) => ({
    ...rest,
    stats: stats && { ...quietStats, ...stats },
  });

  it("advances without throwing, as JSON, with progress that never falls", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 60 }), (calls) => {
        let state = start;
        let done = 0;
        for (const [index, fields] of calls.entries()) {
          const input = call({ step: index + 1, ...withStats(fields) });
          const advance = advancePlan(state, input, options);
          const revived = advancePlan(JSON.parse(JSON.stringify(state)), input, options);
          expect(revived).toEqual(advance);
          expect(JSON.parse(JSON.stringify(advance.state))).toEqual(advance.state);
          expect(advance.signal.done).toBeGreaterThanOrEqual(done);
          expect(advance.signal.done).toBeLessThanOrEqual(advance.signal.total);
          expect(advance.signal.recovery).toBeLessThanOrEqual(16);
          expect([...phases, "backtrack"]).toContain(advance.signal.policyPhase);
          done = advance.signal.done;
          state = advance.state;
        }
      }),
    );
  });
});
