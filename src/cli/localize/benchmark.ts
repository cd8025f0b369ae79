import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { ancestorsOf } from "../../experience/repomem/ancestry.ts";
import type { Commit } from "../../experience/repomem/commit.ts";
import { tokenizers } from "../../experience/repomem/commit-memory.ts";
import { buildMemory } from "../../experience/repomem/locate.ts";
import { rankFiles } from "../../experience/repomem/rank-files.ts";
import { readCommits } from "../../experience/repomem/read-commits.ts";
import type { Io } from "../io.ts";
import { identityOf } from "../issue-identity.ts";
import { counterOn } from "../replay-progress.ts";
import { chosenRows, goldOf, numbersOf, type Sources } from "./chosen-rows.ts";
import { figures, type Outcome, summary } from "./figures.ts";

export interface BenchmarkFlags {
  readonly dataset: string;
  readonly commits: string;
  readonly filter?: string | undefined;
  readonly json?: true | undefined;
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
  const { rows } = await chosenRows(flags, historiesFor(flags, io), io);
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

function historiesFor(flags: BenchmarkFlags, io: Io): Sources {
  const { commits } = flags;
  return {
    wanted: `a history in ${commits} (OWNER__NAME.jsonl.gz)`,
    missing: () => `no history of theirs in ${commits}.`,
    has: (repo) => existsSync(historyFile(repo, flags, io)),
  };
}

function historyFile(repo: string, { commits }: Pick<BenchmarkFlags, "commits">, io: Io): string {
  const name = join(resolve(io.cwd, commits), `${repo.replace("/", "__")}.jsonl`);
  return existsSync(name) ? name : `${name}.gz`;
}

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
