import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Model } from "../../domain/model.ts";
import { dollars, plural } from "../../domain/quantities.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { makeFolder } from "../../store/files.ts";
import { storageError } from "../../store/storage-error.ts";
import { composeServer, recorded } from "../compose.ts";
import { type ExitCode, exitCodeOfError } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { type Counter, counterOn } from "../replay-progress.ts";
import { listenForSignals } from "../signals.ts";
import { visible } from "../terminal-text.ts";
import { askAgent } from "./ask-agent.ts";
import { goldOf } from "./chosen-rows.ts";
import { cloneOf, rowsWithBase } from "./clones.ts";
import type { LocalizeFlags } from "./command.ts";
import { figures, type Outcome, summary } from "./figures.ts";
import { metered } from "./metered-model.ts";
import { inMemory, openPredictionFile, type Predictions } from "./prediction-file.ts";
import { pastOf } from "./read-past.ts";
import { sparseness } from "./repo-memory.ts";

interface Flags extends LocalizeFlags {
  readonly dataset: string;
  readonly repos: string;
}

interface Bench {
  readonly flags: Flags;
  readonly config: RunConfig;
  readonly model: Model;
  readonly predictions: Predictions;
  readonly counter: Counter;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Failures one after another, after which the next instance would fail as well. Our choice. */
const mostInARow = 3;

/**
 * Lets the agent look for the place of each instance of a dataset, and says how often all files of
 * the gold patch, tests left out, are among the first 1, 3 and 5. Returns 3 when the money ran out,
 * and the status of the last failure when instances failed. Rejects with PmcoderError `usage`,
 * `interrupted`, `storage`, or `model_unavailable` when the model cannot be opened.
 */
export async function runAgentBenchmark(flags: Flags, config: RunConfig, io: Io) {
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  const { signal } = interruption;
  try {
    const { rows, sha256 } = await rowsWithBase(flags, io, signal);
    const model = await composeServer(config.model, io);
    refuseUncounted(flags, model);
    const { output } = flags;
    const predictions =
      output === undefined
        ? inMemory()
        : openPredictionFile(resolve(io.cwd, output), settingsOf(flags, config, sha256));
    const counter = counterOn(io.stderr, () => performance.now());
    const bench = { flags, config, model, predictions, counter, io, signal };
    const code = await workThrough(rows, bench).finally(() => tellLeft(rows, bench));
    tellFigures(rows, bench);
    return code;
  } finally {
    interruption.release();
  }
}

function refuseUncounted({ totalCost }: Flags, { name, price }: Model): void {
  if (totalCost === undefined || price !== null) return;
  throw new PmcoderError(
    "usage",
    `--total-cost cannot be kept: the price of ${name} is not known. Leave it out to go on without.`,
  );
}

/** What decides a prediction. */
function settingsOf({ summaries }: Flags, { model, agent, experience }: RunConfig, sha256: string) {
  const { name, maxOutputTokens, contextTokens } = model;
  return {
    dataset: sha256,
    model: { name, maxOutputTokens, contextTokens },
    agent: { costLimit: agent.costLimit },
    summaries: summaries === true,
    repomem: experience.repomem,
  };
}

/** Asks for each instance that is not kept yet. */
async function workThrough(rows: readonly DatasetRow[], bench: Bench): Promise<ExitCode> {
  const { predictions, counter, signal } = bench;
  const isKept = ({ instance_id }: DatasetRow) => predictions.finished.has(instance_id);
  const [kept, left] = [rows.filter(isKept), rows.filter((row) => !isKept(row))];
  for (const row of kept) tellLine(row, bench);
  let code: ExitCode = 0;
  let inARow = 0;
  for (const [at, row] of left.entries()) {
    signal.throwIfAborted();
    if (isSpent(bench)) return 3;
    const tell = (what: string) => counter.tell(kept.length + at, rows.length, visible(what));
    const failure = await attempt(row, bench, tell);
    tellLine(row, bench);
    inARow = failure === null ? 0 : inARow + 1;
    if (failure !== null) code = exitCodeOfError(failure);
    if (inARow === mostInARow) return code;
  }
  return code;
}

function isSpent({ flags, predictions, counter, io }: Bench): boolean {
  const { totalCost = Number.POSITIVE_INFINITY } = flags;
  const spent = predictions.spent ?? 0;
  if (spent < totalCost) return false;
  counter.clear();
  io.stderr.write(`${dollars(spent)} are spent: --total-cost is reached.\n`);
  return true;
}

/** Keeps what comes of an instance; gives the error that only this one failed by. */
async function attempt(
  row: DatasetRow,
  bench: Bench,
  tell: (what: string) => void,
): Promise<PmcoderError | null> {
  const { predictions, counter, io } = bench;
  const { instance_id } = row;
  const { model, spent } = metered(bench.model);
  let predicted: string[];
  try {
    predicted = await predict(row, { ...bench, model }, tell);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    predictions.keep({ instance_id, failed: reason, ...spent() });
    if (!isOfInstance(error)) throw error;
    counter.clear();
    io.stderr.write(`${visible(`${instance_id} failed: ${reason}`)}\n`);
    return error;
  }
  predictions.keep({ instance_id, gold: [...goldOf(row)], predicted, ...spent() });
  return null;
}

const isOfInstance = (error: unknown): error is PmcoderError =>
  error instanceof PmcoderError && !["interrupted", "storage", "internal"].includes(error.code);

/** Files in the agent's order. */
async function predict(row: DatasetRow, bench: Bench, tell: (what: string) => void) {
  const { flags, config, counter, io, signal } = bench;
  const { instance_id, repo, base_commit: from, problem_statement: text } = row;
  const { repomem } = config.experience;
  tell(instance_id);
  const place = { folder: cloneOf(repo, flags, io), from, issues: [] };
  const past = await pastOf({ kind: "instance", text, row }, place, repomem, { io, signal });
  for (const line of sparseness(past.history, repomem)) {
    counter.clear();
    io.stderr.write(`${instance_id}: ${line}\n`);
  }
  const { model, close } = recorded(bench.model, recordFor(row, flags, io), text, io);
  try {
    const asking = {
      model,
      config,
      io,
      signal,
      tell: (what: string) => tell(`${instance_id}: ${what}`),
    };
    const { locations } = await askAgent(past, flags, asking);
    return locations.map(({ file }) => file);
  } finally {
    close();
  }
}

/** A cassette is of one issue, and what an earlier attempt has recorded was paid for. */
function recordFor({ instance_id }: DatasetRow, { record }: Flags, io: Io): string | undefined {
  if (record === undefined) return undefined;
  const folder = resolve(io.cwd, record);
  try {
    makeFolder(folder);
  } catch (error) {
    throw storageError(folder, "write to", error);
  }
  let file = join(folder, `${instance_id}.jsonl`);
  for (let n = 2; existsSync(file); n += 1) file = join(folder, `${instance_id}.${n}.jsonl`);
  return file;
}

function tellLine({ instance_id }: DatasetRow, { flags, predictions, counter, io }: Bench): void {
  const prediction = predictions.finished.get(instance_id);
  if (prediction === undefined || !flags.json) return;
  counter.clear();
  io.stdout.write(`${JSON.stringify(prediction)}\n`);
}

function tellLeft(rows: readonly DatasetRow[], { flags, predictions, counter, io }: Bench): void {
  counter.clear();
  const left = rows.filter(({ instance_id }) => !predictions.finished.has(instance_id)).length;
  if (left === 0) return;
  const { output } = flags;
  const next =
    output === undefined
      ? "With --output FILE the next start would go on with them alone."
      : `The others are kept in ${output}; the same command goes on with these.`;
  const are = left === 1 ? "is" : "are";
  io.stderr.write(`${left} of ${plural(rows.length, "instance")} ${are} left. ${next}\n`);
}

function tellFigures(rows: readonly DatasetRow[], { flags, predictions, io }: Bench): void {
  const outcomes: Outcome[] = rows.flatMap(({ instance_id, repo }) => {
    const found = predictions.finished.get(instance_id);
    return found === undefined ? [] : [{ ...found, instanceId: instance_id, repo }];
  });
  if (outcomes.length === 0) return;
  io.stdout.write(flags.json ? `${JSON.stringify(figures(outcomes))}\n` : summary(outcomes));
  io.stderr.write(`${dollars(predictions.spent)} were spent.\n`);
}
