import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { headOf, line, read, textOf } from "./fixture-files.ts";

describe("readTrajectories", () => {
  it("reads mini-swe-agent v1: one fenced block is a command, none or several are rejected", () => {
    const [episode] = read("mini-v1.traj.json");
    expect(episode && headOf(episode)).toMatchInlineSnapshot(`
      {
        "cut": false,
        "exitStatus": "Submitted",
        "format": "mini-swe-agent-1",
        "instanceId": "shapes__area-7",
        "model": "acme/small-1",
        "submission": "diff --git a/area.py b/area.py",
        "task": "The area is wrong.
      It says 2.",
        "workdir": "/testbed",
      }
    `);
    expect(episode?.turns.map(line)).toMatchInlineSnapshot(`
      [
        "1: ls -F → 0",
        "2 rejected: cat area.py → no result | sed -i 's/2/3/' area.py → no result",
        "3 rejected: (nothing)",
        "4: pytest -q tests → time 124",
        "5: ls -R / → 2",
        "6: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → null",
      ]
    `);
    expect(episode?.turns[0]).toMatchInlineSnapshot(`
      {
        "calls": [
          {
            "command": "ls -F",
            "id": "call_1_1",
            "result": {
              "exitCode": 0,
              "output": "area.py
      tests/",
              "timedOut": false,
            },
          },
        ],
        "content": "THOUGHT: look first.

      \`\`\`bash
      ls -F
      \`\`\`",
        "index": 1,
        "rejected": false,
        "thought": "THOUGHT: look first.",
      }
    `);
    expect(episode?.turns[4]?.calls[0]?.result?.output).toMatchInlineSnapshot(`
      "bin
      [… 120 characters elided …]
      ls: cannot open directory"
    `);
  });

  it("reads mini-swe-agent v2: parallel calls, timeouts, a submission without an answer", () => {
    const [episode] = read("mini-v2.traj.json");
    expect(episode && headOf(episode)).toMatchInlineSnapshot(`
      {
        "cut": false,
        "exitStatus": "Submitted",
        "format": "mini-swe-agent-1.1",
        "instanceId": null,
        "model": "acme/large-2",
        "submission": "diff --git a/area.py b/area.py",
        "task": "The area is wrong.",
        "workdir": "/testbed",
      }
    `);
    expect(episode?.turns.map(line)).toMatchInlineSnapshot(`
      [
        "1: cat area.py → 0 | cat missing.py → 1",
        "2: python run.py → time 124 | echo after → no result",
        "3: sed -i 's/2/3/' area.py → 0",
        "4: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt → 0",
      ]
    `);
    expect(episode?.turns[3]?.calls[0]?.result?.output).toBe(episode?.submission);
  });

  it("reads SWE-agent, its editor's commands as bash", () => {
    const [episode] = read("shapes__area-7.traj");
    expect(episode && headOf(episode)).toMatchInlineSnapshot(`
      {
        "cut": false,
        "exitStatus": "submitted",
        "format": "swe-agent",
        "instanceId": "shapes__area-7",
        "model": "acme-4",
        "submission": "diff --git a/area.py b/area.py",
        "task": "The area is wrong.
      It says 4.",
        "workdir": "/shapes",
      }
    `);
    expect(episode?.turns.map(line)).toMatchInlineSnapshot(`
      [
        "1: find . -name area.py → 0",
        "2: sed -n '1,3p' area.py → 0",
        "3: sed -i '1,1c\\⏎side = (3' /shapes/area.py → 1",
        "4: sed -i '1,1c\\⏎side = 3  # it'\\''s three' /shapes/area.py → 0",
        "5: grep -rn side . → 0",
        "6 rejected: vim area.py → no result",
        "7: python area.py → null",
        "8: python serve.py → time 124",
        "9: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → 0",
      ]
    `);
  });

  it("reads a bare list of messages, as mini's inspector does", () => {
    const { messages } = JSON.parse(textOf("mini-v2.traj.json"));
    const [episode] = readTrajectories(JSON.stringify(messages), "bare.json");
    expect(episode?.format).toBe("mini-swe-agent-1.1");
    expect(episode?.turns).toHaveLength(4);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    [
      "",
      "x.json: expected a trajectory of mini-swe-agent v1 and v2, SWE-agent .traj, OpenHands histories and pmcoder's own trajectories, found the file is empty.",
    ],
    ["hello", 'found no JSON but "hello".'],
    ["[]", "found an empty list."],
    ["42", "found a bare number."],
    ["[null]", "x.json, row 1: expected"],
    [`${"[".repeat(50_000)}${"]".repeat(50_000)}`, "found a list inside a list."],
    ['{"results": 1, "name": "x"}', "found an object with the keys results, name."],
    ['[{"messages": [{"role": "user"}]}, {"a": 1}]', "x.json, row 2: expected"],
    [
      '{"trajectory_format": "mini-swe-agent-3", "messages": []}',
      'found trajectory_format "mini-swe-agent-3"',
    ],
    [
      '{"info": {}, "messages": [{"role": "sys',
      "JSON that is damaged, or ends before its first turn is complete",
    ],
    ['{"a": 1}\n{"b": oops\n{"c": 1}\n', "x.json, line 2: expected"],
  ])("%.60j is told as what it is", (text, message) => {
    const reading = () => readTrajectories(text, "x.json");
    expect(reading).toThrow(PmcoderError);
    expect(reading).toThrow(message);
    expect(reading).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
