import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { openBank } from "../../src/store/experience-bank.ts";
import {
  cassetteText,
  eventsOf,
  lastingWorld,
  onlyRun,
  pmcoder,
  put,
  runFolders,
  sh,
  submit,
  type World,
  world,
} from "./run-world.ts";

const lower = "The answer is wrong: answer.py says 41, and it should be 42.";
const higher = "The answer is wrong again: answer.py says 41, and it should be 43.";
const test = "python3 -m unittest -q test_answer";
const repair = (from: number, to: number) => [
  "cat answer.py",
  test,
  `sed -i s/${from}/${to}/ answer.py test_answer.py`,
  test,
  submit,
];
const secret = "Zx81-not-to-be-kept-51";
const suite = `import unittest
from answer import answer

class Test(unittest.TestCase):
    def test(self):
        # ${secret}
        self.assertEqual(answer, 41)
`;

async function solve(
  at: World,
  issue: string,
  turns: readonly string[],
  ...more: readonly string[]
) {
  const model = `replay:${put(at, "replies.jsonl", cassetteText(turns, issue))}`;
  const ran = await pmcoder(at, ["run", issue, "--model", model, "--yes", ...more], {
    env: { TEST_TOKEN: secret },
  });
  const newest = runFolders(at).at(-1) ?? onlyRun(at);
  return { ...ran, events: await eventsOf(newest) };
}

const briefs = (events: readonly RecordedEvent[]) =>
  events.filter((event) => event.type === "experience");

function project(at: World): World {
  put(at, "project/test_answer.py", suite);
  sh(at.repo, "git remote add origin https://host/a/answers.git; git add -A; git commit -qm tests");
  return at;
}

describe("a run with memories across issues", () => {
  const at = lastingWorld();
  const bank = join(at.home, ".local", "share", "pmcoder", "experience.db");
  let first: Awaited<ReturnType<typeof solve>>;
  let second: Awaited<ReturnType<typeof solve>>;

  beforeAll(async () => {
    project(at);
    first = await solve(at, lower, repair(41, 42), "--experience", "adarepair");
    second = await solve(at, higher, repair(41, 43), "--experience", "adarepair");
  });

  it("learns into the bank of the user's data folder", () => {
    expect(first.code).toBe(0);
    expect(first.err).toMatch(/^learned: [1-9]\d* added, 0 changed in .*experience\.db$/m);
    expect(existsSync(bank)).toBe(true);
  });

  it("keeps count of what helped, and no secret", async () => {
    const opened = openBank(bank, { now: () => 0 });
    const memories = await opened.read({});
    await opened.close();
    expect(memories.filter(({ uses, helped }) => uses === 1 && helped === 1)).not.toEqual([]);
    expect(JSON.stringify(memories)).not.toContain(secret);
    expect(JSON.stringify(memories)).toContain("[redacted:TEST_TOKEN]");
  });

  it("recalls for the next issue what the first taught, and says so", () => {
    expect(second.err).toMatch(/^ {2}others {2}adarepair (loc|gen)/m);
    const shown = briefs(second.events).flatMap(({ recalled }) => recalled);
    expect(shown.length).toBeGreaterThan(0);
    expect(briefs(second.events).find(({ block }) => block !== null)?.block).toContain(
      "it should be 42",
    );
  });

  it("records whence the issue is, so that a process that goes on knows it", () => {
    expect(second.events[0]).toMatchObject({
      origin: { repo: "a/answers", createdAt: expect.any(Number) },
      arm: "full with-adarepair",
    });
  });
});

describe("a run with the memory of its repository", () => {
  it("is told of commits that speak of the issue, and given tools to look further", async () => {
    const at = world();
    sh(at.repo, "echo 'answer = 41  # wrong?' > answer.py; git commit -qam 'Doubt the answer 41'");
    sh(at.repo, "echo x > other.txt; git add -A; git commit -qm 'Add a file'");
    // Where each environment keeps records of ours.
    const tools =
      'for repomem in /run/records/repomem/repomem "$(dirname "$PWD")"/.records/repomem/repomem';
    const look = `${tools}; do [ ! -x "$repomem" ] || "$repomem" search-commit 'wrong answer'; done`;
    const { code, events, err } = await solve(
      at,
      lower,
      ["cat answer.py", look, repair(41, 42)[2] ?? "", submit],
      "--experience",
      "repomem",
    );
    expect(code).toBe(0);
    const [brief] = briefs(events);
    expect(brief?.block).toMatch(/^- \w{9} "Doubt the answer 41" changed answer\.py$/m);
    expect(brief?.block).toMatch(/^- More of it: \S+\/repomem search-commit "WORDS"/m);
    expect(events).toContainEqual(
      expect.objectContaining({
        output: expect.stringContaining("Doubt the answer 41 | answer.py"),
      }),
    );
    expect(err).toContain("learned: nothing new");
    expect(existsSync(join(at.home, ".local"))).toBe(false);
  });

  it("is told of where the clone is shallow", async () => {
    const at = project(world());
    sh(at.folder, `git clone -q --depth 2 file://${at.repo} shallow && rm -r ${at.repo}`);
    sh(at.folder, `mv shallow ${at.repo}`);
    const { code, err } = await solve(at, lower, repair(41, 42), "--experience", "repomem");
    expect(code, err).toBe(0);
    expect(err).toContain("This is a shallow clone: it holds 1 commit before the base.");
  });
});

describe("a bank that cannot be used", () => {
  it("is a notice, and the run does without", async () => {
    const at = project(world());
    const broken = put(at, "broken.db", "this is no database, and never was one".repeat(100));
    const more = ["--experience", "adarepair", "--bank", broken];
    const { code, err, events } = await solve(at, lower, repair(41, 42), ...more);
    expect(code).toBe(0);
    expect(err).toContain("Nothing is recalled from other issues:");
    expect(briefs(events)).toEqual([]);
    expect(existsSync(join(at.home, ".local"))).toBe(false);
  });
});

describe("memories on the command line", () => {
  it("have names that are known", async () => {
    const at = world();
    const { code, err } = await pmcoder(at, ["run", lower, "--experience", "experepair,memrepair"]);
    expect(code).toBe(2);
    expect(err).toContain("Expected a list of repomem, experepair, adarepair, swe-exp.");
  });
});
