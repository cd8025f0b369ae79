import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Purpose } from "../../src/domain/model.ts";
import { startPmcoder, until } from "./run-process.ts";
import {
  eventsOf,
  issue,
  onlyRun,
  pmcoder,
  put,
  readText,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const fence = "```";
const edit = (value: number) =>
  `<edit>\n<file>answer.py</file>\n<original>\nanswer = 41\n</original>\n<patched>\nanswer = ${value}\n</patched>\n</edit>`;

/** Replies for the world's issue; `script` shows it. */
const repliesWith = (script: string): readonly (readonly [Purpose, string])[] => [
  ["test", `It is 41.\n${fence}python\n${script}\n${fence}`],
  ["check", "<analysis>41</analysis><reproduced>YES</reproduced><advice></advice>"],
  ["locate", `${fence}\nanswer.py\n${fence}`],
  ["locate", "answer.py"],
  ["locate", "answer.py:1-1"],
  ["locate", "answer.py:1"],
  ["patch", edit(42)],
  ["patch", edit(43)],
  ["review", "<ranking>1, 2</ranking><correct>1</correct>"],
  ["advise", "It is complete."],
  ["advise", "It is short."],
];

const settings = [
  ...["-c", "workflow.experepair.patchTemperatures=[0, 0.8]"],
  ...["-c", "workflow.experepair.adviceTries=1"],
];

function cassetteOf(at: World, script: string): string {
  const header = {
    format: "pmcoder-cassette-1",
    model: "made:test",
    task_sha256: "0",
    task: issue,
  };
  const lines = repliesWith(script).map(([purpose, content]) => ({ purpose, content, calls: [] }));
  const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  return `replay:${put(at, "cassette.jsonl", text)}`;
}

const argsOf = (at: World, script: string) => {
  const run = ["run", issue, "--workflow", "experepair", "--environment", "local", "--yes"];
  return [...run, "--model", cassetteOf(at, script), ...settings];
};

const show = "from answer import answer\nprint(answer)";

const fixed = /-answer = 41\n\+answer = 42\n/;

describe("pmcoder run --workflow experepair", () => {
  it("tells its stages, and leaves a patch, a summary and a trajectory that can be replayed", async () => {
    const at = world();
    const { code, err } = await pmcoder(at, argsOf(at, show));
    expect(code).toBe(0);
    const lines = err
      .split("\n")
      .filter((line) =>
        /^(run|reproduce|locate|patch|refine|validate|step|submitted| {2}repro)/.test(line),
      );
    expect(
      lines.map((line) => line.replace(/^run \S+|replay:\S+|\(\S+ s?\)| at .*/g, "…")),
    ).toMatchInlineSnapshot(`
      [
        "… · experepair · … · local…",
        "reproduce  writes a script that reproduces the issue",
        "step 1  test  “It is 41.”",
        "step 1  $ cat > reproduce.py <<'SCRIPT'⏎from answer import answer⏎print(answer)⏎SCRIPT⏎PYTHONDONTWRIT…  → exit 0 …",
        "step 2  check  “<analysis>41</analysis><reproduced>YES</reproduced><advice></advice>”",
        "locate  the issue is reproduced (round 1); looks for the code",
        "step 3  locate  “answer.py”",
        "step 4  locate  “answer.py”",
        "step 5  locate  “answer.py:1-1”",
        "step 6  locate  “answer.py:1”",
        "patch  writes patches (round 1 of 3)",
        "step 7  patch  “<edit>”",
        "step 7  $ git apply --whitespace=nowarn <<'PATCH' || exit 96⏎diff --git a/answer.py b/answer.py⏎--- a…  → exit 0 …",
        "step 8  patch  “<edit>”",
        "step 8  $ git apply --whitespace=nowarn <<'PATCH' || exit 96⏎diff --git a/answer.py b/answer.py⏎--- a…  → exit 0 …",
        "step 9  review  “<ranking>1, 2</ranking><correct>1</correct>”",
        "  repro   the issue no longer shows (this tree is known)",
        "refine  one patch is found correct; tries fuller and simpler ones",
        "step 10  advise  “It is complete.”",
        "step 11  advise  “It is short.”",
        "validate  one patch is left to choose from",
        "submitted…",
      ]
    `);
    const folder = onlyRun(at);
    expect(readText(folder, "patch.diff")).toMatch(fixed);
    const { arm, steps, exit_status, verdict, model_calls } = summaryIn(folder);
    expect({ arm, steps, exit_status, verdict, model_calls }).toEqual({
      arm: "experepair",
      steps: 11,
      exit_status: "submitted",
      verdict: "pass",
      model_calls: { act: 11, other: 0 },
    });
    const replayed = await pmcoder(at, ["replay", join(folder, "trajectory.json"), "--json"]);
    const turns = replayed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(turns.map(({ step }) => step)).toEqual([1, 7, 8]);
    const page = join(at.folder, "page.html");
    expect((await pmcoder(at, ["view", "last", "--export", page])).code).toBe(0);
    expect(readText(page)).toMatch(/reproduce: check/);
  });

  it("goes on after it was killed within a script, and asks nothing twice", async () => {
    const at = world();
    const mark = join(at.folder, "mark");
    const wait = `import os, time\nif not os.path.exists("${mark}"):\n    open("${mark}", "w").close()\n    time.sleep(300)\n${show}`;
    const running = startPmcoder(at, argsOf(at, wait));
    await until(() => existsSync(mark), running);
    running.child.kill("SIGKILL");
    await running.ended;
    const { code, err } = await pmcoder(at, ["resume", "last", "--yes"]);
    expect([code, err]).toEqual([0, expect.stringContaining("submitted")]);
    const folder = onlyRun(at);
    expect(readText(folder, "patch.diff")).toMatch(fixed);
    const events = await eventsOf(folder);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(["reply", "command", "observation"].map(count)).toEqual([11, 3, 3]);
  });
});
