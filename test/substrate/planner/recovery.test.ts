import { describe, expect, it } from "vitest";
import {
  type Failure,
  recoveryItems,
  templateFor,
} from "../../../src/substrate/planner/recovery.ts";
import { subTask } from "./subtask-rows.ts";

const failed = subTask({
  id: "p3",
  phase: "verify",
  title: "check it",
  keywords: ["flush"],
  terminal: true,
});
const failure: Failure = {
  signal: "readSaturation",
  failed,
  heavy: [],
  created: [],
  repeated: { name: "grep -rn flush", n: 8 },
};

describe("templateFor", () => {
  it.each([
    ["repeatedEdits", [], "RT-REFIX"],
    ["failedReturns", [], "RT-DIAG"],
    ["repeatedAction", [], "RT-ALT"],
    ["readSaturation", [], "RT-COMMIT"],
    ["failedReturns", ["a.py"], "RT-REFIX"],
    ["readSaturation", ["a.py"], "RT-REFIX"],
  ] as const)("answers %s with heavy files %j by %s", (signal, heavy, template) => {
    expect(templateFor({ signal, heavy })).toBe(template);
  });
});

describe("recoveryItems", () => {
  const lines = (fields: Partial<Failure>) =>
    recoveryItems({ ...failure, ...fields }, 2).map(
      ({ id, phase, title }) => `${id} ${phase}: ${title}`,
    );

  it.each<[string, Partial<Failure>, readonly string[]]>([
    [
      "reverts heavy files before it fixes again",
      { signal: "repeatedEdits", heavy: ["a.py", "b c.py"] },
      [
        "r2.1 implement: Restore a.py, b c.py to the committed state (git checkout -- a.py 'b c.py')",
        "r2.2 hypothesize: Find out why the earlier edits of a.py, b c.py did not work",
        "r2.3 implement: Make the smallest fix again, from the clean file",
      ],
    ],
    [
      "deletes a heavy file that the episode created",
      { signal: "failedReturns", heavy: ["a.py", "repro.py"], created: ["repro.py"] },
      [
        "r2.1 implement: Restore a.py to the committed state (git checkout -- a.py); Delete repro.py, which is new in this episode",
        "r2.2 hypothesize: Find out why the earlier edits of a.py, repro.py did not work",
        "r2.3 implement: Make the smallest fix again, from the clean file",
      ],
    ],
    [
      "reads the error after failed commands",
      { signal: "failedReturns" },
      [
        "r2.1 explore: Read the error of the failing command and the code that raises it",
        "r2.2 hypothesize: State one cause that explains that error",
      ],
    ],
    [
      "tries the failed item by another way after repetition",
      { signal: "repeatedAction" },
      [
        "r2.1 hypothesize: Choose another probe than `grep -rn flush`, which was run 8 times",
        "r2.2 verify: check it",
      ],
    ],
    [
      "has nothing to try again when nothing was active",
      { signal: "repeatedAction", failed: null },
      ["r2.1 hypothesize: Choose another probe than `grep -rn flush`, which was run 8 times"],
    ],
    [
      "commits to one place after much reading",
      {},
      [
        "r2.1 hypothesize: Name the one place that, by what was read, most likely holds the fault",
        "r2.2 implement: Make the smallest edit there",
      ],
    ],
  ])("%s", (_name, fields, expected) => {
    expect(lines(fields)).toEqual(expected);
  });

  it("copies no more of the failed item than what is to be done", () => {
    const [, copy] = recoveryItems({ ...failure, signal: "repeatedAction" }, 1);
    expect(copy).toEqual(
      subTask({ id: "r1.2", phase: "verify", title: "check it", keywords: ["flush"], recovery: 1 }),
    );
  });

  it("quotes a long action by its beginning", () => {
    const repeated = { name: "x".repeat(300), n: 9 };
    const [first] = recoveryItems({ ...failure, signal: "repeatedAction", repeated }, 1);
    expect(first?.title).toBe(
      `Choose another probe than \`${"x".repeat(80)}…\`, which was run 9 times`,
    );
  });
});
