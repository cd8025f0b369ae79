import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bank, NewMemory } from "../src/domain/bank.ts";
import { type IssueIdentity, type Stage, stages } from "../src/domain/experience.ts";
import { GuardedBank } from "../src/experience/guarded-bank.ts";
import { words } from "../src/experience/tokenize.ts";
import { openBank } from "../src/store/experience-bank.ts";
import { type Benchmark, type Figure, median } from "./figure.ts";
import { p99 } from "./observe.ts";

const records = 100_000;
const recalls = 500;
const warmUps = 25;
const episodesAtOnce = 10;

/** Shares of the twelve repositories of SWE-bench Verified, from the largest. */
const shares = [231, 75, 44, 34, 32, 22, 22, 19, 8, 7, 2, 1];
const shared = shares.reduce((sum, share) => sum + share, 0);

/** Distinct words of a text grow as its vocabulary does: rank r about as often as 1 / r. */
const vocabulary = 60_000;
const days = 5000;
const issueWords = 150;
const artifactWords = 100;

/** Numbers in [0, 1) that look random and are the same in each run (a linear congruence). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text of so many words, give or take half; rank r of the vocabulary stands about as 1 / r. */
function textOf(random: () => number, mean: number): string {
  const length = Math.round(mean * (0.5 + random()));
  return Array.from({ length }, () => `w${Math.floor(vocabulary ** random())}`).join(" ");
}

function repositoryAt(random: () => number): string {
  let left = random() * shared;
  const at = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return `owner/repository${at}`;
}

const day = 86_400_000;

function issueAt(n: number, random: () => number): IssueIdentity {
  return {
    instanceId: `instance-${n}`,
    repo: repositoryAt(random),
    issue: textOf(random, issueWords),
    createdAt: Math.floor(random() * days) * day,
  };
}

/** What an episode leaves: a memory of each stage. */
function memoriesOf(from: IssueIdentity, random: () => number): readonly NewMemory[] {
  return stages.map((kind) => {
    const artifact = textOf(random, artifactWords);
    return {
      system: "adarepair",
      kind,
      from,
      payload: { artifact },
      labels: random() < 0.5 ? ["verified"] : [],
      terms: { issue: words(from.issue), artifact: words(artifact) },
      learnedFrom: "bench",
    };
  });
}

/** Milliseconds that adding all of them took, those of ten episodes in a transaction. */
async function fill(bank: Bank, random: () => number): Promise<number> {
  let ms = 0;
  for (let n = 0; n < records / stages.length; n += episodesAtOnce) {
    const episodes = Array.from({ length: episodesAtOnce }, (_, k) =>
      memoriesOf(issueAt(n + k, random), random),
    );
    const startedAt = performance.now();
    await bank.add(episodes.flat());
    ms += performance.now() - startedAt;
  }
  return ms;
}

/**
 * Milliseconds from an issue's text to the three best memories of a stage, whole: of all
 * repositories, which is the largest pool that AdaRepair-Mem ranks at once.
 */
async function recall(bank: Bank, target: IssueIdentity, kind: Stage): Promise<number> {
  const startedAt = performance.now();
  const rules = { repository: "any", earlier: "all", strict: true } as const;
  const guarded = new GuardedBank(bank, rules, target);
  const candidates = await guarded.candidates({ system: "adarepair", kind });
  const query = words(target.issue);
  const scores = candidates.relevance([
    { field: "issue", query, weight: 0.7 },
    { field: "artifact", query, weight: 0.3 },
  ]);
  const ids = candidates.best(scores, 3).map(({ head }) => head.id);
  const found = await guarded.read({ ids });
  if (found.length === 0) throw new Error("nothing was recalled");
  return performance.now() - startedAt;
}

function figure(name: string, value: number, unit: string, n: number, most: number): Figure {
  const goal = `<= ${most} ${unit}`;
  return { figure: name, value, unit, n, peer: null, ratio: null, goal, met: value <= most };
}

/**
 * Recall from a bank of 100,000 memories whose stages were asked for before, the first recall of a
 * stage, which reads its vectors, and learning a memory.
 */
export const recallSpeed: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-bank-"));
  const file = join(folder, "experience.db");
  const clock = { now: () => Date.now() };
  const random = sequence(1);
  try {
    const learner = openBank(file, clock);
    const learnMs = await fill(learner, random);
    await learner.close();
    const bank = openBank(file, clock);
    const first: number[] = [];
    for (const stage of stages) first.push(await recall(bank, issueAt(records, random), stage));
    const times: number[] = [];
    for (let n = 0; n < warmUps + recalls; n += 1) {
      const target = issueAt(records + n, random);
      times.push(await recall(bank, target, stages[n % stages.length] ?? "rep"));
    }
    await bank.close();
    return [
      figure("recall_100k", p99(times.slice(warmUps)), "ms", recalls, 20),
      figure("recall_100k_first", median(first), "ms", first.length, 1000),
      figure("learn_100k", learnMs / records, "ms a memory", records, 2),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
