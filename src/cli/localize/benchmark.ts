import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { filesOf } from "../../agent/patch/headers.ts";
import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { plural } from "../../domain/quantities.ts";
import { readDataset } from "../../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../../eval/dataset-place.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { accuracyAt, type Located } from "../../experience/repomem/accuracy.ts";
import { ancestorsOf } from "../../experience/repomem/ancestry.ts";
import type { Commit } from "../../experience/repomem/commit.ts";
import { tokenizers } from "../../experience/repomem/commit-memory.ts";
import { isTest } from "../../experience/repomem/files.ts";
import { buildMemory } from "../../experience/repomem/locate.ts";
import { rankFiles } from "../../experience/repomem/rank-files.ts";
import { readCommits } from "../../experience/repomem/read-commits.ts";
import type { Io } from "../io.ts";
import { identityOf } from "../issue-identity.ts";
import { counterOn } from "../replay-progress.ts";
import { table } from "../text-table.ts";

export interface BenchmarkFlags {
  readonly dataset: string;
  readonly commits: string;
  readonly filter?: string | undefined;
  readonly json?: true | undefined;
}

interface Outcome extends Located {
  readonly instanceId: string;
  readonly repo: string;
}

/** Files kept of a ranking. */
const shown = 5;

/**
 * Ranks the files of each instance by its repository's commits, and says how often all files of the
 * gold patch, tests left out, are among the first 1, 3 and 5. Throws PmcoderError `usage`.
 */
export async function runBenchmark(
  flags: BenchmarkFlags,
  config: RepoMemConfig,
  io: Io,
): Promise<void> {
  const rows = await chosenRows(flags, io);
  const counter = counterOn(io.stderr, () => performance.now());
  const outcomes: Outcome[] = [];
  const repositories = [...new Set(rows.map(({ repo }) => repo))];
  for (const repo of repositories) {
    counter.tell(outcomes.length, rows.length, `reading the history of ${repo}`);
    const graph = await readCommits(historyFile(repo, flags, io));
    const terms = termsByCommit(config);
    for (const row of rows.filter((other) => other.repo === repo)) {
      counter.tell(outcomes.length, rows.length, row.instance_id);
      const outcome = await locateIn(graph, row, { config, terms, io });
      outcomes.push(outcome);
      if (!flags.json) continue;
      counter.clear();
      const { instanceId: instance_id, gold, predicted } = outcome;
      io.stdout.write(`${JSON.stringify({ instance_id, gold, predicted })}\n`);
    }
  }
  counter.clear();
  io.stdout.write(flags.json ? `${JSON.stringify(figures(outcomes))}\n` : summary(outcomes));
}

function figures(outcomes: readonly Outcome[]) {
  return {
    n: outcomes.length,
    acc_at_1: accuracyAt(1, outcomes),
    acc_at_3: accuracyAt(3, outcomes),
    acc_at_5: accuracyAt(5, outcomes),
  };
}

function summary(outcomes: readonly Outcome[]): string {
  const repositories = [...new Set(outcomes.map(({ repo }) => repo))];
  const rowOf = (name: string, some: readonly Outcome[]) => {
    const { n, acc_at_1, acc_at_3, acc_at_5 } = figures(some);
    return [name, String(n), ...[acc_at_1, acc_at_3, acc_at_5].map((share) => share.toFixed(2))];
  };
  const rows = repositories.map((repo) =>
    rowOf(
      repo,
      outcomes.filter((outcome) => outcome.repo === repo),
    ),
  );
  const lines = table(
    ["repository", "n", "Acc@1", "Acc@3", "Acc@5"],
    [...rows, rowOf("all", outcomes)],
  );
  return `${lines.join("\n")}\n`;
}

/** The rows that are asked for, that have a history, and whose gold patch changes more than tests. */
async function chosenRows(flags: BenchmarkFlags, io: Io): Promise<readonly DatasetRow[]> {
  const { dataset, commits, filter = "" } = flags;
  const path = locateDataset(dataset, { base: io.cwd, datasets: datasetsFolder(io.env) });
  const { rows, faults } = await readDataset(path, dataset);
  const wanted = rows.filter(({ instance_id }) => regexOf(filter).test(instance_id));
  const dated = wanted.filter(({ repo }) => existsSync(historyFile(repo, flags, io)));
  const usable = dated.filter((row) => goldOf(row).length > 0);
  const note = (n: number, why: string) =>
    n > 0 &&
    io.stderr.write(`${plural(n, "instance")} ${n === 1 ? "is" : "are"} left out: ${why}\n`);
  for (const fault of faults) io.stderr.write(`left out: ${fault}\n`);
  note(wanted.length - dated.length, `no history of theirs in ${commits}.`);
  note(dated.length - usable.length, "no gold patch that changes source.");
  if (usable.length > 0) return usable;
  throw new PmcoderError(
    "usage",
    `No instance of ${dataset} fits --filter "${filter}" and has a history in ${commits} (OWNER__NAME.jsonl.gz) and a gold patch.`,
  );
}

function regexOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new PmcoderError("usage", `--filter ${text} is no regular expression.`, { cause });
  }
}

function historyFile(repo: string, { commits }: Pick<BenchmarkFlags, "commits">, io: Io): string {
  const name = join(resolve(io.cwd, commits), `${repo.replace("/", "__")}.jsonl`);
  return existsSync(name) ? name : `${name}.gz`;
}

const goldOf = ({ patch }: DatasetRow) =>
  filesOf(Buffer.from(patch ?? "")).filter((file) => !isTest(file));

/** Terms of a message, made once for all instances of a repository. */
function termsByCommit({ tokenizer }: RepoMemConfig): (commit: Commit) => readonly string[] {
  const kept = new Map<string, readonly string[]>();
  return ({ sha, message }) => {
    const terms = kept.get(sha) ?? tokenizers[tokenizer](message);
    kept.set(sha, terms);
    return terms;
  };
}

async function locateIn(
  graph: ReadonlyMap<string, Commit>,
  row: DatasetRow,
  {
    config,
    terms,
    io,
  }: {
    readonly config: RepoMemConfig;
    readonly terms: (commit: Commit) => readonly string[];
    readonly io: Io;
  },
): Promise<Outcome> {
  const { instance_id: instanceId, repo, base_commit: base, problem_statement: issue } = row;
  const task = { kind: "instance", text: issue, row } as const;
  const { createdAt } = await identityOf(task, { top: null, now: 0 });
  const outcome = { instanceId, repo, gold: goldOf(row) };
  if (!graph.has(base)) {
    io.stderr.write(`${instanceId}: its base ${base} is not in the history; counted as missed.\n`);
    return { ...outcome, predicted: [] };
  }
  const past = { base, commits: [...ancestorsOf(graph, base)], files: null };
  const { memory, files } = buildMemory(
    past,
    { issue, createdAt, numbers: numbersOf(row) },
    config,
    terms,
  );
  const speaks = config.episodic && past.commits.length - 1 >= config.gate;
  const ranked = speaks ? rankFiles(memory, issue, files, config) : [];
  return { ...outcome, predicted: ranked.slice(0, shown).map(({ file }) => file) };
}

/** An instance is named after the request that resolved it. */
const numbersOf = ({ instance_id }: DatasetRow) => /-(\d+)$/.exec(instance_id)?.slice(1) ?? [];
