import { describe, expect, it } from "vitest";
import { headOf, line, read } from "./fixture-files.ts";

describe("readTrajectories", () => {
  it("reads OpenHands histories, several episodes in a file", () => {
    const episodes = read("openhands.jsonl");
    expect(episodes.map(headOf)).toMatchInlineSnapshot(`
      [
        {
          "cut": false,
          "exitStatus": "ok",
          "format": "openhands",
          "instanceId": "shapes__area-7",
          "model": "acme/large-2",
          "submission": "diff --git a/area.py b/area.py",
          "task": "The area is wrong.",
          "workdir": "/workspace/shapes",
        },
        {
          "cut": false,
          "exitStatus": "RuntimeError: too many iterations",
          "format": "openhands",
          "instanceId": "shapes/area#7",
          "model": null,
          "submission": "diff --git a/area.py b/area.py",
          "task": "Wrong area
      The area is wrong.",
          "workdir": null,
        },
      ]
    `);
    expect(episodes.map(({ turns }) => turns.map(line))).toMatchInlineSnapshot(`
      [
        [
          "1: ls → 0 | sed -n '1,3p' /workspace/shapes/area.py → 0",
          "2: sed -i -z 's/side = 2/side = 3/' /workspace/shapes/area.py → 0",
          "3: : → 0",
          "4: python serve.py → time null",
          "5: (nothing)",
          "6: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → no result",
        ],
        [
          "1: cat /workspace/area.py → 0",
          "2: sed -i -z 's/side = 2\\n/side = 3\\n/' /workspace/area.py → 1",
          "3: python3 - <<'EOF'⏎print(2 + 1)⏎EOF → 0",
          "4: cat area.py → 0",
          "5: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → no result",
        ],
      ]
    `);
  });

  it("reads a session of the OpenHands SDK", () => {
    const [episode] = read("openhands-sdk.json");
    expect(episode && headOf(episode)).toMatchInlineSnapshot(`
      {
        "cut": false,
        "exitStatus": null,
        "format": "openhands",
        "instanceId": null,
        "model": null,
        "submission": null,
        "task": "The area is wrong.",
        "workdir": null,
      }
    `);
    expect(episode?.turns.map(line)).toMatchInlineSnapshot(`
      [
        "1: ls → 0 | cat -n /w/area.py → 1",
        "2: (nothing)",
      ]
    `);
  });

  it("reads converted rows, with tool calls and with calls as text", () => {
    const episodes = read("openhands-rows.json");
    expect(episodes.map(headOf)).toMatchInlineSnapshot(`
      [
        {
          "cut": false,
          "exitStatus": null,
          "format": "openhands",
          "instanceId": "shapes__area-7",
          "model": "acme-4",
          "submission": "diff --git a/area.py b/area.py",
          "task": "The area is wrong.",
          "workdir": null,
        },
        {
          "cut": false,
          "exitStatus": null,
          "format": "openhands",
          "instanceId": "shapes-2",
          "model": null,
          "submission": null,
          "task": "The area is wrong.",
          "workdir": null,
        },
      ]
    `);
    expect(episodes.map(({ turns }) => turns.map(line))).toMatchInlineSnapshot(`
      [
        [
          "1: ls → 2 | find /workspace -maxdepth 2 -not -path '*/.*' → 0",
          "2: (nothing)",
          "3: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → no result",
        ],
        [
          "1: python area.py && echo ok → 0",
          "2: : y → time null",
          "3: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached → no result",
        ],
      ]
    `);
    expect(episodes[1]?.turns[0]).toMatchInlineSnapshot(`
      {
        "calls": [
          {
            "command": "python area.py && echo ok",
            "id": "call_1_1",
            "result": {
              "exitCode": 0,
              "output": "4
      ok",
              "timedOut": false,
            },
          },
        ],
        "content": "Run it.

      <function=execute_bash>
      <parameter=command>
      python area.py && echo ok
      </parameter>
      </function>",
        "index": 1,
        "rejected": false,
        "thought": "Run it.",
      }
    `);
  });
});
