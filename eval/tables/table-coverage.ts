// What AdaRepair-Mem's policy recalls from a bank for the instances of a dataset: coverage by stage,
// what other repositories add, how alike the chosen are, tokens of a block. Asks no model.
import { existsSync } from "node:fs";
import { systemClock } from "../../src/cli/compose.ts";
import { epochOf } from "../../src/cli/issue-identity.ts";
import { AdaRepairConfig } from "../../src/domain/config/adarepair.ts";
import { ExperienceConfig } from "../../src/domain/config/experience.ts";
import { type IssueIdentity, type Stage, stages } from "../../src/domain/experience.ts";
import { readDataset } from "../../src/eval/dataset-file.ts";
import { adaRepair } from "../../src/experience/adarepair/memory.ts";
import { jaccard } from "../../src/experience/adarepair/quality.ts";
import { occasionOf } from "../../src/experience/adarepair/routing.ts";
import { type Selection, selectMemories } from "../../src/experience/adarepair/select.ts";
import { GuardedBank } from "../../src/experience/guarded-bank.ts";
import { layOut } from "../../src/experience/ltm-block.ts";
import type { RepairMemory } from "../../src/experience/repair-memory.ts";
import { words } from "../../src/experience/tokenize.ts";
import { type OpenBank, openBank } from "../../src/store/experience-bank.ts";
import { tokensOf } from "../../src/substrate/memory/text.ts";

const full = AdaRepairConfig.parse({});
const arms = {
  full,
  withoutCar: { ...full, car: false },
  withoutQas: { ...full, qas: false },
};

/** What was recalled for one target at one stage. */
interface Recall {
  /** Admitted memories of the own repository. */
  readonly own: number;
  readonly chosen: Readonly<Record<keyof typeof arms, Selection["selected"]>>;
  /** Of the block; 0: nothing was said. */
  readonly tokens: number;
}

async function recall(bank: OpenBank, target: IssueIdentity, stage: Stage): Promise<Recall> {
  const { repo, issue } = target;
  const query = { repo, issue, failure: null, stage };
  const select = (config: AdaRepairConfig) =>
    selectMemories(
      new GuardedBank(bank, { repository: "any", earlier: "all", strict: true }, target),
      query,
      config,
    );
  const [whole, withoutCar, withoutQas] = [
    await select(arms.full),
    await select(arms.withoutCar),
    await select(arms.withoutQas),
  ];
  const { budgets } = ExperienceConfig.parse({});
  const memory = adaRepair({
    bank,
    config: full,
    strictDates: true,
    recordTokens: budgets.records,
  });
  const occasion = { target, ...occasionOf[stage], entry: 2, failure: null };
  const { recollections } = await memory.recall(occasion);
  const { block } = layOut(recollections, occasion, [], budgets);
  return {
    own: whole.pool.sameRepository,
    chosen: {
      full: whole.selected,
      withoutCar: withoutCar.selected,
      withoutQas: withoutQas.selected,
    },
    tokens: block === null ? 0 : tokensOf(block),
  };
}

/** Levels of coverage by the admitted memories of the own repository; from `topN` on there is a choice. */
const levels: readonly (readonly [string, (own: number) => boolean])[] = [
  ["high", (own) => own >= full.kSame],
  ["medium", (own) => own >= full.topN && own < full.kSame],
  ["low", (own) => own > 0 && own < full.topN],
  ["none", (own) => own === 0],
];

const share = (k: number, n: number) => (n === 0 ? "–" : `${((100 * k) / n).toFixed(0)} %`);
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function rowOf(stage: Stage, recalls: readonly Recall[]): readonly string[] {
  const n = recalls.length;
  const count = (fits: (one: Recall) => boolean) => recalls.filter(fits).length;
  const threes = recalls.filter(
    ({ chosen }) => chosen.full.length === 3 && chosen.withoutQas.length === 3,
  );
  const likeness = (arm: keyof typeof arms) =>
    mean(threes.map(({ chosen }) => meanJaccard(chosen[arm]))).toFixed(3);
  const proven = (arm: keyof typeof arms) => {
    const all = threes.flatMap(({ chosen }) => chosen[arm]);
    return share(all.filter(({ memory }) => memory.outcome.verified).length, all.length);
  };
  const spoken = recalls.filter(({ tokens }) => tokens > 0).map(({ tokens }) => tokens);
  return [
    stage,
    ...levels.map(([, fits]) =>
      share(
        count(({ own }) => fits(own)),
        n,
      ),
    ),
    share(
      count(({ chosen }) => chosen.withoutCar.length === 3),
      n,
    ),
    share(
      count(({ chosen }) => chosen.full.length === 3),
      n,
    ),
    `${likeness("withoutQas")} → ${likeness("full")} (${threes.length})`,
    `${proven("withoutQas")} → ${proven("full")}`,
    `${mean(spoken).toFixed(0)} (at most ${Math.max(0, ...spoken)})`,
  ];
}

const wordsOf = ({ from, artifact }: RepairMemory) => new Set(words(`${from.issue}\n${artifact}`));

/** Of all pairs of what was chosen. */
function meanJaccard(chosen: Selection["selected"]): number {
  const sets = chosen.map(({ memory }) => wordsOf(memory));
  return mean(sets.flatMap((one, at) => sets.slice(at + 1).map((other) => jaccard(one, other))));
}

const heads = [
  "stage",
  ...levels.map(([name]) => name),
  "three without CAR",
  "three with CAR",
  "likeness without QAS → with (n)",
  "resolved without QAS → with",
  "tokens of a block",
];

async function printCoverage(bankFile: string, dataset: string): Promise<void> {
  const { rows } = await readDataset(dataset, dataset);
  const bank = openBank(bankFile, systemClock);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(`${rows.length} targets\n\n${line(heads)}${line(heads.map(() => "---"))}`);
  for (const stage of stages) {
    const recalls: Recall[] = [];
    for (const { instance_id: instanceId, repo, problem_statement: issue, created_at } of rows) {
      const target = { instanceId, repo, issue, createdAt: epochOf(created_at) };
      recalls.push(await recall(bank, target, stage));
    }
    process.stdout.write(line(rowOf(stage, recalls)));
  }
  await bank.close();
}

const [bankFile = "", dataset = ""] = process.argv.slice(2);
if (existsSync(bankFile) && existsSync(dataset)) await printCoverage(bankFile, dataset);
else {
  process.stderr.write("Usage: npx tsx eval/tables/table-coverage.ts BANK ROWS.jsonl\n");
  process.exitCode = 2;
}
