import { describe, expect, it } from "vitest";
import { bm25 } from "../../src/eval/replay-bm25.ts";
import { replayMetrics, uncoupled } from "../../src/eval/replay-metrics.ts";
import { newestTurns, recallAt4, retrievedTurns } from "../../src/eval/replay-recall.ts";
import { shareOf } from "../../src/eval/replay-share.ts";
import { fullConfig, replayOf, type Told } from "./episodes.ts";

describe("shareOf", () => {
  it.each([
    [0, 10, 0, [0, 0.2775]],
    [5, 10, 0.5, [0.2366, 0.7634]],
    [10, 10, 1, [0.7225, 1]],
    [277, 347, 0.7983, [0.7529, 0.8371]],
  ])("%i of %i", (k, n, share, interval) => {
    const found = shareOf(k, n);
    expect(found.share).toBeCloseTo(share, 4);
    expect(found.interval?.map((bound) => Math.round(bound * 1e4) / 1e4)).toEqual(interval);
  });

  it("of nothing is open", () => {
    expect(shareOf(0, 0)).toEqual({ k: 0, n: 0, share: null, interval: null });
  });
});

describe("bm25", () => {
  it("prefers rare words, often, in short texts", () => {
    const texts = [
      "area of a square",
      "area area of a square",
      "circle",
      "the area of a long, long, long text",
    ];
    const scores = bm25("AREA of a circle", texts);
    const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    expect(order).toEqual([2, 1, 0, 3]);
  });

  it("gives the usual numbers", () => {
    // N 2, df 1: idf ln(1 + 1.5/1.5); tf 1, length 2 of mean 2
    expect(bm25("flush", ["flush now", "other text"])).toEqual([Math.log(2), 0]);
  });
});

const read = (
  file: string,
  output = `# ${file}
`,
): Told => ({ commands: [`cat ${file}`], output });
/** Seven files read, then one of them again. */
const files = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `src/${name}.py`);
const reading = [
  ...files.map((file) =>
    file === "src/a.py" ? read(file, "def area(square): ...\n") : read(file),
  ),
  read("src/a.py"),
];
const event = (step: number, file: string, instance_id = "shapes__area-7") => ({
  instance_id,
  step,
  file,
});

describe("recall at 4", () => {
  const replays = [replayOf(reading)];

  it.each([
    ["the newest of four older turns", "src/d.py", 1],
    ["the oldest of four older turns", "src/a.py", 1],
    ["a turn that is still in sight", "src/e.py", 0],
    ["a file that nobody read", "src/z.py", 0],
  ])("of %s", (_, file, k) => {
    expect(recallAt4([event(8, file)], replays, newestTurns)).toMatchObject({ k, n: 1 });
  });

  it("looks at four turns, a call and its results being one", () => {
    const longer = [replayOf([read("src/first.py"), ...reading])];
    const both: Told = { commands: ["cat src/x.py", "cat src/y.py"] };
    expect(recallAt4([event(9, "src/first.py")], longer, newestTurns).k).toBe(0);
    const joined = [replayOf([read("src/first.py"), both, ...reading.slice(4)])];
    expect(recallAt4([event(6, "src/first.py")], joined, newestTurns).k).toBe(1);
  });

  it("takes what was retrieved after the newest turn that ran before the event", () => {
    const rejected: Told = { commands: [], rejected: true };
    const replay = replayOf([...reading.slice(0, 7), rejected, read("src/a.py")]);
    expect(retrievedTurns(replay, 9)).toEqual(retrievedTurns(replay, 8));
    expect(retrievedTurns(replay, 8).length).toBeGreaterThan(0);
  });

  it("leaves out events of episodes that were not replayed", () => {
    expect(recallAt4([event(8, "src/a.py", "other__one-1")], replays, newestTurns).n).toBe(0);
  });
});

describe("metrics", () => {
  const churn = Array.from({ length: 12 }, () => "sed -i 's/a/b/' src/a.py");
  const told = [
    ["ok__short-1", reading],
    ["ok__stuck-2", churn],
    ["bad__stuck-3", churn],
    ["bad__long-4", Array.from({ length: 4 }, () => churn).flat()],
    ["open__one-5", churn],
  ] as const;
  const under = (config: typeof fullConfig) =>
    told.map(([instanceId, turns]) => replayOf(turns, { instanceId }, config));
  const outcomes = told.map(([instance_id]) => ({
    instance_id,
    resolved: instance_id.startsWith("open") ? null : instance_id.startsWith("ok"),
  }));

  it("count recall and backtracks, with their cases", () => {
    const metrics = replayMetrics({
      full: under(fullConfig),
      uncoupled: under(uncoupled(fullConfig)),
      outcomes,
      events: [event(8, "src/a.py", "ok__short-1"), event(8, "src/a.py", "gone__one-6")],
    });
    expect(metrics).toMatchObject({ episodes: 5, revisit_events: 1 });
    expect(metrics.revisit_recall_at_4).toMatchObject({
      full: { k: 1, n: 1 },
      uncoupled: { n: 1 },
      newest: { k: 1, n: 1 },
      bm25: { n: 1 },
    });
    expect(metrics.backtrack_share).toMatchObject({
      resolved_lt40: { k: 1, n: 2, share: 0.5 },
      unresolved_lt40: { k: 1, n: 1 },
      resolved: { k: 1, n: 2 },
      unresolved: { k: 2, n: 2 },
    });
  });

  it("uncouple statistics and plan too", () => {
    expect(under(uncoupled(fullConfig)).map(({ end }) => end.plan?.backtracks)).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });
});
