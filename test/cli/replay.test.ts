import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { replayCommand } from "../../src/cli/replay.ts";
import { replayCommandLine } from "../../src/cli/replay-command.ts";
import { runCommand } from "./run-command-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const fixtures = "test/fixtures/trajectories";

/** A folder with a recorded run of each generation of mini-swe-agent, one of them packed. */
function folder(): string {
  const home = temporaryFolder();
  copyFileSync(join(fixtures, "mini-v2.traj.json"), join(home, "v2.traj.json"));
  const packed = gzipSync(readFileSync(join(fixtures, "mini-v1.traj.json")));
  writeFileSync(join(home, "v1.traj.json.gz"), packed);
  return home;
}

const replay = (home: string, ...args: readonly string[]) =>
  runCommand(
    (io, done) =>
      replayCommandLine().action(async (files, flags) =>
        done(await replayCommand(files, flags, io)),
      ),
    { home, args },
  );

const parsed = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("pmcoder replay --json", () => {
  it("prints one object a step, of packed files too", async () => {
    const { codes, out, err } = await replay(folder(), "--json", "v1.traj.json.gz", "v2.traj.json");
    const lines = parsed(out);
    expect([codes, err]).toEqual([[0], ""]);
    const told = lines.map(({ step, detected, action }) => `${step} ${detected} ${action.kind}`);
    expect(told).toMatchInlineSnapshot(`
      [
        "1 explore inspect",
        "2 implement edit",
        "3 null none",
        "4 hypothesize test",
        "5 explore inspect",
        "6 null submit",
        "1 explore inspect",
        "2 hypothesize execute",
        "3 implement edit",
        "4 null submit",
      ]
    `);
    expect(Object.keys(lines[0])).toEqual([
      "instance_id",
      "step",
      "detected",
      "phase",
      "action",
      "stuck",
      "hint",
      "retrieved",
      "block",
      "ms",
    ]);
  });

  it("takes the configuration that is asked for", async () => {
    const { out } = await replay(folder(), "--json", "v2.traj.json", "-c", "planner.on=false");
    expect(parsed(out).length).toBeGreaterThan(0);
    expect(parsed(out).every(({ phase, detected }) => phase === null && detected === null)).toBe(
      true,
    );
  });

  it("selects an instance, and names the nearest when there is none", async () => {
    const home = folder();
    const text = JSON.parse(readFileSync(join(home, "v2.traj.json"), "utf8"));
    for (const id of ["shapes__area-7", "shapes__area-8"]) {
      writeFileSync(join(home, `${id}.json`), JSON.stringify({ ...text, instance_id: id }));
    }
    const files = ["shapes__area-7.json", "shapes__area-8.json"];
    const { out } = await replay(home, "--json", "--instance", "shapes__area-8", ...files);
    expect(new Set(parsed(out).map(({ instance_id }) => instance_id))).toEqual(
      new Set(["shapes__area-8"]),
    );
    await expect(replay(home, "--instance", "shapes__area-77", ...files)).rejects.toThrow(
      "No episode of shapes__area-77 in these files. The nearest: shapes__area-7, shapes__area-8.",
    );
  });

  it("tells of a file that it cannot read, and goes on", async () => {
    const home = folder();
    writeFileSync(join(home, "odd.json"), '{"hello": 1}');
    const { codes, out, err } = await replay(
      home,
      "--json",
      "odd.json",
      "gone.json",
      "v2.traj.json",
    );
    expect(codes).toEqual([2]);
    expect(parsed(out).length).toBeGreaterThan(3);
    expect(err).toMatch(
      /^pmcoder: odd\.json: expected a trajectory of .*\npmcoder: gone\.json cannot be read: there is no such file\.\n$/,
    );
  });

  it("replays the complete turns of a file that was cut in half", async () => {
    const home = folder();
    const text = readFileSync(join(home, "v2.traj.json"), "utf8");
    writeFileSync(join(home, "half.json"), text.slice(0, Math.floor(text.length * 0.7)));
    const { codes, out } = await replay(home, "--json", "half.json");
    const whole = parsed((await replay(home, "--json", "v2.traj.json")).out);
    const half = parsed(out);
    expect(codes).toEqual([0]);
    expect(half.length).toBeLessThan(whole.length);
    expect(half.map(({ action }) => action)).toEqual(
      whole.slice(0, half.length).map(({ action }) => action),
    );
  });
});

describe("pmcoder replay with figures", () => {
  const rows = (home: string, name: string, ...values: readonly object[]) => {
    writeFileSync(join(home, name), values.map((value) => `${JSON.stringify(value)}\n`).join(""));
    return name;
  };
  const named = (home: string) => {
    const text = JSON.parse(readFileSync(join(home, "v2.traj.json"), "utf8"));
    writeFileSync(join(home, "a.json"), JSON.stringify({ ...text, instance_id: "a" }));
    return "a.json";
  };

  it("scores labels", async () => {
    const home = folder();
    const labels = rows(home, "labels.jsonl", {
      instance_id: "a",
      step: 1,
      phase: "explore",
      mutates: [],
      ambiguous: false,
    });
    const { codes, out } = await replay(home, "--labels", labels, named(home));
    expect(codes).toEqual([0]);
    expect(parsed(out)).toEqual([
      { n: 1, accuracy: 1, clear_accuracy: 1, macro_f1: 0.25, mutation_f1: null },
    ]);
  });

  it("counts recall and backtracks", async () => {
    const home = folder();
    const outcomes = rows(home, "index.json", { instance_id: "a", resolved: true });
    const events = rows(home, "events.jsonl", {
      instance_id: "a",
      step: 5,
      file: "area.py",
      last_read: 1,
    });
    const { out } = await replay(
      home,
      "--metrics",
      "--outcomes",
      outcomes,
      "--events",
      events,
      named(home),
    );
    expect(parsed(out)).toMatchObject([
      {
        episodes: 1,
        revisit_events: 1,
        revisit_recall_at_4: {
          full: { n: 1 },
          uncoupled: { n: 1 },
          newest: { n: 1 },
          bm25: { n: 1 },
        },
        backtrack_share: {
          resolved: { k: 0, n: 1, share: 0 },
          unresolved: { k: 0, n: 0, share: null, interval: null },
        },
      },
    ]);
  });

  it.each([
    ["--labels"],
    ["--metrics", "--events", "v2.traj.json", "--outcomes"],
    ["--metrics", "--outcomes", "index.json", "--events"],
  ])("says that the file of %s %s %s %s is not there", async (...flags) => {
    const home = folder();
    rows(home, "index.json", { instance_id: "a", resolved: true });
    const ran = replay(home, ...flags, "gone.jsonl", "v2.traj.json");
    await expect(ran).rejects.toMatchObject({
      code: "usage",
      message: "gone.jsonl cannot be read: there is no such file.",
    });
  });

  it("says what metrics want", async () => {
    await expect(replay(folder(), "--metrics", "v2.traj.json")).rejects.toThrow(
      /--metrics wants --outcomes FILE .* and --events FILE/,
    );
  });
});

describe("pmcoder replay", () => {
  it("shows people a table", async () => {
    const { out } = await replay(folder(), "v2.traj.json");
    expect(out).toMatch(
      /^\(no instance\): \d steps, \d blocks? \(\+\), 0 backtracks\nstep {2}phase/,
    );
  });
});
