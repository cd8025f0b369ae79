import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import type { Learned } from "../../domain/experience.ts";
import { dollars, plural } from "../../domain/quantities.ts";
import { foreignEpisode } from "../../experience/episodes/foreign-episode.ts";
import type { ForeignEpisode } from "../../trajectories/foreign.ts";
import { readTrajectories } from "../../trajectories/read-trajectories.ts";
import { Closing } from "../closing.ts";
import { type ExitCode, explain } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { textOf } from "../replay.ts";
import { counterOn } from "../replay-progress.ts";
import { listenForSignals } from "../signals.ts";
import type { LearnFlags } from "./command.ts";
import { identityOfEpisode, type KnownIssues, knownIssues, outcomeOf } from "./known-issues.ts";
import { memoryConfig, noIssue, type OpenMemories, openMemories } from "./memories.ts";
import { isExport, restore } from "./restore.ts";

/**
 * `pmcoder experience learn`: from trajectories, run folders and exports. A file that cannot be read
 * is told, and the others still count. Returns 0, or 2 when a file could not be read.
 */
export async function learnFiles(
  files: readonly string[],
  flags: LearnFlags,
  io: Io,
): Promise<ExitCode> {
  const asksModel = flags.model !== undefined;
  // Demonstrations are the same for both; insights want a model.
  const config = memoryConfig(flags, [asksModel ? "experepair" : "adarepair"], io);
  const known = await knownIssues(flags, io);
  const closing = new Closing();
  const { signal, release } = listenForSignals(io.signals, () => io.leave(130));
  try {
    const memories = await openMemories(config, noIssue, { io, signal, closing, asksModel });
    return await learnAll(files, { memories, known, json: flags.json === true, io, signal });
  } finally {
    release();
    await closing.close();
  }
}

interface Learning {
  readonly memories: OpenMemories;
  readonly known: KnownIssues;
  readonly json: boolean;
  readonly io: Io;
  readonly signal: AbortSignal;
}

async function learnAll(files: readonly string[], learning: Learning): Promise<ExitCode> {
  const { io, memories, signal } = learning;
  const counter = counterOn(io.stderr, () => performance.now());
  const told = new Set<string>();
  let [added, changed, status] = [0, 0, 0 as ExitCode];
  const say = (line: string) => {
    counter.clear();
    if (!told.has(line)) io.stderr.write(`${line}\n`);
    told.add(line);
  };
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted();
    counter.tell(index, files.length, basename(file));
    try {
      for (const one of await learnFile(file, learning)) {
        added += one.learned.added;
        changed += one.learned.changed;
        if (learning.json) io.stdout.write(`${JSON.stringify(lineOf(file, one))}\n`);
        else one.learned.notes.forEach(say);
      }
    } catch (error) {
      if (!(error instanceof PmcoderError) || error.code !== "usage") throw error;
      say(`pmcoder: ${explain(error, io.env)}`);
      status = 2;
    }
  }
  const spent = memories.spent();
  const price = spent === 0 ? "" : ` (${dollars(spent)})`;
  const sum = `${added} added, ${changed} changed in ${memories.file}${price}`;
  say(`learned from ${plural(files.length, "file")}: ${sum}`);
  return status;
}

interface LearnedOne {
  readonly instanceId: string | null;
  /** null: not an episode. */
  readonly resolved: boolean | null;
  readonly learned: Learned;
}

const lineOf = (file: string, { instanceId, resolved, learned }: LearnedOne) => ({
  file,
  instance_id: instanceId,
  resolved,
  ...learned,
});

async function learnFile(file: string, learning: Learning): Promise<readonly LearnedOne[]> {
  const { io, memories } = learning;
  const path = trajectoryIn(file, io.cwd);
  const text = textOf(path, io.cwd);
  if (isExport(text)) {
    const learned = await restore(text, file, memories.bank);
    return [{ instanceId: null, resolved: null, learned }];
  }
  const learned: LearnedOne[] = [];
  for (const episode of readTrajectories(text, basename(path))) {
    learned.push(await learnEpisode(episode, path, learning));
  }
  return learned;
}

async function learnEpisode(
  episode: ForeignEpisode,
  path: string,
  { known, memories, io }: Learning,
): Promise<LearnedOne> {
  const from = identityOfEpisode(episode, path, known, io.cwd);
  const resolved = outcomeOf(episode.instanceId, path, known);
  const goldPatch = known.rows.get(episode.instanceId ?? "")?.patch;
  const past = {
    ...foreignEpisode(episode, { from, source: path, resolved }),
    ...(goldPatch ? { goldPatch } : {}),
  };
  const learned = await memories.memory.learn(past);
  return { instanceId: episode.instanceId, resolved: past.resolved, learned };
}

/** A folder stands for the trajectory of the run that it holds. */
function trajectoryIn(file: string, cwd: string): string {
  const isFolder = statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(file, "trajectory.json") : file;
}
