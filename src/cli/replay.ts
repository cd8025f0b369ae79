import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { whyUnreadable } from "../domain/unreadable.ts";
import { type Replay, replayEpisode } from "../eval/replay.ts";
import { LabelRow, scoreLabels } from "../eval/replay-labels.ts";
import { replayLine } from "../eval/replay-line.ts";
import { OutcomeRow, replayMetrics, uncoupled } from "../eval/replay-metrics.ts";
import { RevisitEvent } from "../eval/replay-recall.ts";
import { parseRows } from "../eval/replay-rows.ts";
import type { ForeignEpisode } from "../trajectories/foreign.ts";
import { readTrajectories } from "../trajectories/read-trajectories.ts";
import { settingsOfArgument } from "./config-file.ts";
import { explain } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { mergeConfig } from "./merge-config.ts";
import type { ReplayFlags } from "./replay-command.ts";
import { counterOn } from "./replay-progress.ts";
import { episodeTable } from "./replay-text.ts";
import { coloured, plain } from "./terminal-text.ts";

const now = () => performance.now();

/**
 * Replays recorded episodes through plan and memory and prints what they make of each step, or
 * figures over all of them. A file that cannot be read is told, and the others still count.
 * Returns the exit status: 0, or 2 when a file could not be read. Throws PmcoderError `usage`.
 */
export async function replayCommand(
  files: readonly string[],
  flags: ReplayFlags,
  io: Io,
): Promise<number> {
  const report = reportOf(flags, configOf(flags, io.cwd), io);
  const counter = counterOn(io.stderr, now);
  const known: (string | null)[] = [];
  let status = 0;
  for (const [index, file] of files.entries()) {
    counter.tell(index, files.length, basename(file));
    const read = readEpisodes(file, io.cwd);
    if (read instanceof PmcoderError) {
      counter.clear();
      io.stderr.write(`pmcoder: ${explain(read, io.env)}\n`);
      status = 2;
      continue;
    }
    known.push(...read.map(({ instanceId }) => instanceId));
    if (report.writes) counter.clear();
    for (const episode of read) if (isWanted(episode, flags)) report.take(episode);
  }
  counter.clear();
  requireInstance(flags, known);
  report.end();
  return status;
}

/** The defaults under what `-c` says; the user's own file would make figures hard to compare. */
function configOf(flags: ReplayFlags, cwd: string): RunConfig {
  return mergeConfig(flags.config.flatMap((argument) => settingsOfArgument(argument, cwd))).config;
}

function isWanted({ instanceId }: ForeignEpisode, { instance }: ReplayFlags): boolean {
  return instance === undefined || instanceId === instance;
}

function requireInstance({ instance }: ReplayFlags, known: readonly (string | null)[]): void {
  if (instance === undefined || known.includes(instance)) return;
  const others = [...new Set(known)].filter((id) => id !== null);
  const near = nearest(instance, others, { count: 3, within: instance.length });
  const hint = near.length === 0 ? "" : ` The nearest: ${near.join(", ")}.`;
  throw new PmcoderError("usage", `No episode of ${instance} in these files.${hint}`);
}

/** What becomes of the episodes. */
interface Report {
  /** Each episode is printed as it is taken. */
  readonly writes: boolean;
  take(episode: ForeignEpisode): void;
  end(): void;
}

function reportOf(flags: ReplayFlags, config: RunConfig, io: Io): Report {
  if (flags.labels !== undefined || flags.metrics) return figures(flags, config, io);
  const paint = io.stdout.isTTY && !io.env.NO_COLOR ? coloured : plain;
  const layout = { columns: io.stdout.columns ?? 120, paint };
  const linesOf = (replay: Replay) =>
    flags.json
      ? replay.turns.map((turn) => JSON.stringify(replayLine(replay.instanceId, turn)))
      : [...episodeTable(replay, layout), ""];
  return {
    writes: true,
    take(episode) {
      const lines = linesOf(replayEpisode(episode, { config, now }));
      io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    },
    end: () => {},
  };
}

/** Gathers all episodes, then one JSON object for the labels and one for the metrics. */
function figures(flags: ReplayFlags, config: RunConfig, io: Io): Report {
  const rows = <Schema extends z.ZodType>(schema: Schema, file: string) =>
    parseRows(schema, textOf(file, io.cwd), file);
  const labels = flags.labels === undefined ? null : rows(LabelRow, flags.labels);
  const wanted = metricFiles(flags);
  const metrics = wanted && {
    outcomes: rows(OutcomeRow, wanted.outcomes),
    events: rows(RevisitEvent, wanted.events),
  };
  const full: Replay[] = [];
  const apart: Replay[] = [];
  const print = (value: unknown) => io.stdout.write(`${JSON.stringify(value)}\n`);
  return {
    writes: false,
    take(episode) {
      full.push(replayEpisode(episode, { config, now }));
      if (metrics) apart.push(replayEpisode(episode, { config: uncoupled(config), now }));
    },
    end() {
      if (labels) print(scoreLabels(labels, full));
      if (metrics) print(replayMetrics({ full, uncoupled: apart, ...metrics }));
    },
  };
}

function metricFiles({ metrics, outcomes, events }: ReplayFlags) {
  if (!metrics) return null;
  if (outcomes !== undefined && events !== undefined) return { outcomes, events };
  throw new PmcoderError(
    "usage",
    "--metrics wants --outcomes FILE (instance_id and resolved) and --events FILE (instance_id, step and file).",
  );
}

/** The episodes of a file, or why it cannot be read. */
function readEpisodes(file: string, cwd: string): readonly ForeignEpisode[] | PmcoderError {
  try {
    return readTrajectories(textOf(file, cwd), basename(file));
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
}

/** The text of a file, decompressed if its bytes are gzip's. Throws PmcoderError `usage`. */
export function textOf(file: string, cwd: string): string {
  try {
    const bytes = readFileSync(resolve(cwd, file));
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return (isGzip ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (cause) {
    throw new PmcoderError("usage", `${file} cannot be read: ${whyUnreadable(cause)}.`, { cause });
  }
}
