import { describe, expect, it } from "vitest";
import { openBoard } from "../../../src/cli/eval/board.ts";
import type { BatchEvent } from "../../../src/eval/batch/batch-event.ts";
import { jobOf } from "../../../src/eval/experiment/expand.ts";
import { pipe, terminal } from "../text-streams.ts";

const jobs = ["baseline", "full"].flatMap((arm) => ["a", "b"].map((id) => jobOf(id, arm, 1)));
const [one = "", two = ""] = jobs.map(({ id }) => id);

const events: readonly BatchEvent[] = [
  { type: "restored", job: "full/seed-1/a", status: "submitted", cost: 0.5, resolved: true },
  { type: "started", job: one, at: 0 },
  { type: "note", text: "pulling\u001b[2J an image" },
  { type: "ended", job: one, at: 60_000, status: "step_limit", cost: 1.25 },
  { type: "graded", job: one, resolved: false },
  { type: "started", job: two, at: 60_000 },
  { type: "ended", job: two, at: 70_000, status: "environment_lost", cost: null },
  {
    type: "failed",
    job: two,
    at: 70_000,
    status: "environment_lost",
    reason: "No engine.\nStart it.",
  },
  { type: "failed", job: two, at: 70_000, status: "interrupted", reason: "Interrupted." },
  { type: "given_up", job: two },
];

const options = { jobs, arms: ["baseline", "full", "unused"], env: {}, now: () => 90_000 };

const lines = `baseline/seed-1/a  step_limit, not resolved  $1.25`;

const table = `arm       done  running  resolved  failures  given up   money   time left
baseline   1/2        0       0/1         1         1   $1.25         0 s
full       1/2        0       1/1         0         0  $0.500           –
all        2/4        0       1/2         1         1   $1.75  1 min 30 s`;

describe("the board of a batch", () => {
  it("is a line for each end and remark, and a table at the end, where it is no terminal", () => {
    const stderr = pipe();
    const board = openBoard({ ...options, stderr, stdout: null });
    events.forEach(board.tell);
    board.close();
    board.close();
    expect(stderr.text()).toMatchInlineSnapshot(`
      "pulling␛[2J an image
      2/4  baseline/seed-1/a  step_limit, not resolved  $1.25
      baseline/seed-1/b  failed (environment_lost): No engine.⏎Start it.
      baseline/seed-1/b  given up; the same command tries it again
      arm       done  running  resolved  failures  given up   money   time left
      baseline   1/2        0       0/1         1         1   $1.25         0 s
      full       1/2        0       1/1         0         0  $0.500           –
      all        2/4        0       1/2         1         1   $1.75  1 min 30 s
      "
    `);
  });

  it("numbers its lines without a gap, however many jobs have ended before their grading", () => {
    const ids = jobs.map(({ id }) => id);
    const at = 60_000;
    const restored = { job: ids[3] ?? "", cost: 0, resolved: null } as const;
    const stderr = pipe();
    const board = openBoard({ ...options, stderr, stdout: null });
    const told: readonly BatchEvent[] = [
      { type: "restored", ...restored, status: "interrupted" },
      ...ids.map((job) => ({ type: "ended", job, at, status: "submitted", cost: 0 }) as const),
      ...ids.map((job) => ({ type: "graded", job, resolved: true }) as const),
    ];
    told.forEach(board.tell);
    const numbers = stderr.text().match(/^\d+\/\d+/gm);
    expect(numbers).toEqual(["1/4", "2/4", "3/4", "4/4"]);
  });

  it("is redrawn in its place on a terminal, below what stays", () => {
    const stderr = terminal(100);
    const board = openBoard({ ...options, stderr, stdout: null });
    events.forEach(board.tell);
    board.close();
    const text = stderr.written.join("");
    expect(text).toContain("\r\u001b[4A\u001b[J");
    const [last = ""] = text.split("\u001b[J").slice(-1);
    expect(last.trimEnd()).toBe(table);
    expect(text).toContain(lines);
    expect(text).not.toContain("\u001b[2J");
  });

  it("is every event as it is for programs, and the table last", () => {
    const [stderr, stdout] = [pipe(), pipe()];
    const board = openBoard({ ...options, stderr, stdout });
    events.forEach(board.tell);
    board.close();
    const told = stdout
      .text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.slice(0, -1)).toEqual(events);
    expect(told.at(-1)).toMatchObject({
      type: "table",
      rows: [{ arm: "baseline", givenUp: 1 }, { arm: "full" }, { arm: null, cost: 1.75 }],
    });
    expect(stderr.text()).toBe("");
  });
});
