import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { type ForeignEpisode, stepsOf, type Turn } from "../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";

const fixtures = new URL("../fixtures/trajectories/", import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, fixtures), "utf8");
const names = [
  "mini-v1.traj.json",
  "mini-v2.traj.json",
  "shapes__area-7.traj",
  "openhands.jsonl",
  "openhands-sdk.json",
  "openhands-rows.json",
];
const read = (name: string) => readTrajectories(textOf(name), name);

function line({ index, rejected, calls }: Turn): string {
  const told = calls.map(({ command, result }) => {
    const status = result ? `${result.timedOut ? "time " : ""}${result.exitCode}` : "no result";
    return `${command.replaceAll("\n", "⏎")} → ${status}`;
  });
  return `${index}${rejected ? " rejected" : ""}: ${told.join(" | ") || "(nothing)"}`;
}

function headOf({ turns: _turns, submission, ...head }: ForeignEpisode) {
  return { ...head, submission: submission?.split("\n")[0] ?? null };
}

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

/**
 * A turn of a cut file: the same, but for results that the cut took. Whether a path is a folder is
 * known from the result alone, so the command is compared where there is one.
 */
function isPrefix(turn: Turn, whole: Turn | undefined, isLast: boolean): boolean {
  if (!isLast) return JSON.stringify(turn) === JSON.stringify(whole);
  return turn.calls.every(({ command, result }, n) => {
    const full = whole?.calls[n];
    if (result === null) return full !== undefined;
    return command === full?.command && result.exitCode === full.result?.exitCode;
  });
}

describe("a file that was cut off", () => {
  it.each(names)("%s gives its complete turns wherever it ends, or one clear error", (name) => {
    const text = textOf(name).trimEnd();
    const whole = readTrajectories(text, name);
    fc.assert(
      fc.property(fc.nat({ max: text.length - 2 }), (end) => {
        let episodes: readonly ForeignEpisode[];
        try {
          episodes = readTrajectories(text.slice(0, end), name);
        } catch (error) {
          return error instanceof PmcoderError && error.code === "usage";
        }
        const turns = episodes.flatMap((episode, at) =>
          episode.turns.map((turn) =>
            isPrefix(turn, whole[at]?.turns[turn.index - 1], turn === episode.turns.at(-1)),
          ),
        );
        return turns.every(Boolean);
      }),
      { numRuns: 300 },
    );
  });

  it("marks the episode and keeps the ones before it", () => {
    const text = textOf("openhands.jsonl");
    const episodes = readTrajectories(text.slice(0, text.indexOf("Count.") + 40), "cut.jsonl");
    expect(episodes.map(({ cut, turns }) => [cut, turns.length])).toEqual([
      [false, 6],
      [true, 2],
    ]);
  });
});

/** A JSON value with one of its parts, chosen by `at`, replaced. */
function damaged(value: unknown, at: number, by: unknown): unknown {
  let left = at;
  const walk = (part: unknown): unknown => {
    left -= 1;
    if (left === -1) return by;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

describe("a file that is not what it seems", () => {
  const reads = (text: string, name: string) => {
    try {
      return readTrajectories(text, name).every(
        ({ turns }) => turns.flatMap(stepsOf).length >= turns.length,
      );
    } catch (error) {
      return error instanceof PmcoderError && error.code === "usage";
    }
  };

  it.each(names)("%s with any part replaced is read or refused, never a crash", (name) => {
    const values = name.endsWith(".jsonl") ? textOf(name).trim().split("\n") : [textOf(name)];
    fc.assert(
      fc.property(fc.nat({ max: 400 }), fc.jsonValue(), (at, by) => {
        const text = values.map((value) => JSON.stringify(damaged(JSON.parse(value), at, by)));
        return reads(text.join("\n"), name);
      }),
      { numRuns: 200 },
    );
  });

  it.each(names)("%s with a part that cannot be made a text is read or refused", (name) => {
    const values = name.endsWith(".jsonl") ? textOf(name).trim().split("\n") : [textOf(name)];
    for (let at = 0; at < 400; at += 1) {
      const text = values.map((value) =>
        JSON.stringify(damaged(JSON.parse(value), at, [{ toString: 0, valueOf: 0 }])),
      );
      expect([at, reads(text.join("\n"), name)]).toEqual([at, true]);
    }
  });

  it("any text is read or refused, never a crash", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => reads(text, "x.json")));
  });
});
