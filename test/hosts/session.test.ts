import { existsSync, rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { Session } from "../../src/hosts/session.ts";
import { fold, nothingYet, type SessionState } from "../../src/hosts/session-state.ts";
import { type HostRecord, hostRecord } from "../../src/trajectories/host-log.ts";
import { hookRepository, readIn, sessionsIn } from "./hook-world.ts";

const config = RunConfig.parse({});

function openIn(repo: string): Session {
  const place = { host: "pi", session: "s-1", root: repo, version: "1", folder: sessionsIn(repo) };
  const session = new Session({ ...place, now: () => 0, warn: () => {} });
  session.config = config;
  return session;
}

const commands = ["cat src/a.js", "sed -i s/1/2/ src/a.js", "npm test", "ls", "grep -rn a src"];

const step = fc
  .record({
    id: fc.constantFrom("a", "b", "c", "d"),
    command: fc.constantFrom(...commands),
    more: fc.boolean(),
  })
  .map(
    (fields): HostRecord => ({
      type: "step",
      thought: "",
      output: "out",
      exitCode: 0,
      timedOut: false,
      ...fields,
    }),
  );
const record = fc.oneof(
  { weight: 8, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc.constant<HostRecord>({ type: "task", text: "parse() drops the minutes" }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<HostRecord>(
      { type: "verdict", verdict: "fail" },
      { type: "compacted" },
    ),
  },
);
/** What one of three processes does: it adds a record, and may keep the state or start anew after it. */
const move = fc.record({
  by: fc.nat(2),
  record,
  after: fc.constantFrom("nothing", "save", "restart"),
});
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** The blocks that the processes are given, in order. */
function blocksOf(moves: readonly Move[], repo: string): readonly (string | null)[] {
  const open = [0, 1, 2].map(() => openIn(repo));
  return moves.map(({ by, record: added, after }) => {
    const session = open[by] ?? openIn(repo);
    const { advice } = session.add(added);
    if (after === "save") session.save();
    if (after === "restart") open[by] = openIn(repo);
    return advice?.block ?? null;
  });
}

/** What the records come to without any file. */
function folded(moves: readonly Move[], root: string) {
  const blocks: (string | null)[] = [];
  let state: SessionState = nothingYet;
  for (const { record: added } of moves) {
    const next = fold(state, added, { config, root });
    state = next.state;
    blocks.push(next.advice?.block ?? null);
  }
  return { blocks, state };
}

describe("a session", () => {
  it("is the fold of its log, whoever wrote it and whatever was kept of it", () => {
    const moves = fc.array(move, { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(moves, (made) => {
        const repo = hookRepository();
        const { blocks, state } = folded(made, repo);
        expect(blocksOf(made, repo)).toEqual(blocks);
        const last = openIn(repo);
        last.readOn(null, 1);
        expect(last.state).toEqual(state);
        const lines = readIn(repo, "s-1.jsonl").trim().split("\n");
        expect(lines.every((line) => hostRecord(line) !== null)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});

it("makes no folder anew when it is kept after its log has gone", () => {
  const repo = hookRepository();
  const session = openIn(repo);
  session.add({ type: "task", text: "parse() drops the minutes" });
  rmSync(sessionsIn(repo), { recursive: true });
  session.save();
  expect(existsSync(sessionsIn(repo))).toBe(false);
});
