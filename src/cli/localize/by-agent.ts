import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Model } from "../../domain/model.ts";
import { textOf } from "../../experience/repomem/read-history.ts";
import { type Source, summarise } from "../../experience/repomem/summarise.ts";
import { type FileSummary, mostEdited } from "../../experience/repomem/summary.ts";
import { openSummaryFile } from "../../experience/repomem/summary-file.ts";
import { makeStateFolder } from "../../store/state-folder.ts";
import type { Code } from "../../workflows/localize/code-tools.ts";
import { type Localized, localize } from "../../workflows/localize/localize.ts";
import type { Location } from "../../workflows/localize/parse-locations.ts";
import { composeModel } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { statePlace } from "../places.ts";
import { counterOn } from "../replay-progress.ts";
import { listenForSignals } from "../signals.ts";
import { visible } from "../terminal-text.ts";
import type { LocalizeFlags } from "./command.ts";
import { type KnownPast, readPast } from "./read-past.ts";
import { repoMemoryOf, summaryPlace } from "./repo-memory.ts";

/** Lets the localisation agent read history and code. Returns 1 when it names no file. */
export async function byAgent(
  text: string | undefined,
  flags: LocalizeFlags,
  config: RunConfig,
  io: Io,
): Promise<ExitCode> {
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  const { signal } = interruption;
  const { repomem } = config.experience;
  try {
    const past = await readPast(text, flags, repomem, { io, signal });
    const { issue } = past.target;
    const { model, close } = await composeModel(config.model, flags.record, issue, io);
    try {
      const summaries = await summariesFor(past, flags, { model, config, io, signal });
      const found = await localize({
        model,
        memory: repoMemoryOf(past, summaries, repomem),
        code: codeOf(past),
        issue,
        steps: repomem.agentSteps,
        costLimit: config.agent.costLimit ?? Number.POSITIVE_INFINITY,
        maxOutputTokens: config.model.maxOutputTokens,
        signal,
        tell: (line) => void io.stderr.write(`${visible(line)}\n`),
      });
      print(found, flags, io);
      return found.locations.length > 0 ? 0 : 1;
    } finally {
      close();
    }
  } finally {
    interruption.release();
  }
}

interface Summarising {
  readonly model: Model;
  readonly config: RunConfig;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Those that are kept; with `--summaries` also those that are still to be made. */
async function summariesFor(
  { history, built, git }: KnownPast,
  flags: LocalizeFlags,
  { model, config, io, signal }: Summarising,
): Promise<readonly FileSummary[]> {
  const state = statePlace(flags.state, io);
  if (flags.summaries) makeStateFolder(state);
  const shelf = await openSummaryFile(summaryPlace(state.folder));
  if (!flags.summaries) return shelf.known;
  const counter = counterOn(io.stderr, () => performance.now());
  const files = mostEdited(
    built.memory,
    new Set(history.files),
    config.experience.repomem.summarised,
  );
  const made = await summarise(files, {
    model,
    shelf,
    signal,
    costLimit: config.agent.costLimit ?? Number.POSITIVE_INFINITY,
    read: (file) => sourceAt({ history, git }, file),
    tell: (done, of, file) => counter.tell(done, of, `summarising ${file}`),
  });
  counter.clear();
  const cost = made.costUsd === null ? "at an unknown price" : `for $${made.costUsd.toFixed(4)}`;
  io.stderr.write(`${made.calls} of ${files.length} files were summarised now, ${cost}.\n`);
  if (made.left > 0) io.stderr.write(`${made.left} are left: agent.costLimit is reached.\n`);
  return made.summaries;
}

async function sourceAt(
  { history, git }: Pick<KnownPast, "history" | "git">,
  file: string,
): Promise<Source | null> {
  const sha = history.blobs.get(file);
  if (sha === undefined) return null;
  const text = await textOf(git(["cat-file", "blob", sha]));
  return text.includes("\0") || text.trim() === "" ? null : { sha, text };
}

function codeOf({ history, git }: KnownPast): Code {
  const { base, blobs } = history;
  return {
    files: new Set(history.files),
    grep: async (text, pathspec) => {
      // In a folder of the repository git would search that folder alone.
      const where = ["--", `:(top)${pathspec ?? ""}`];
      const how = ["grep", "-n", "-I", "-F", "--full-name", "--no-color", "-e", text, base];
      const lines = (await textOf(git([...how, ...where], [0, 1]))).split("\n");
      return lines.filter((line) => line !== "").map((line) => line.slice(base.length + 1));
    },
    read: (path) => textOf(git(["cat-file", "blob", blobs.get(path) ?? path])),
  };
}

function print({ locations, calls, costUsd, askedAgain }: Localized, flags: LocalizeFlags, io: Io) {
  const files = locations.map(({ file }) => file);
  const lines = flags.json
    ? [
        ...locations.map((location, at) => JSON.stringify({ rank: at + 1, ...location })),
        JSON.stringify({ files, calls, cost: costUsd, asked_again: askedAgain }),
      ]
    : locations.map(lineFor);
  if (lines.length === 0) lines.push("The agent names no file of this repository.");
  io.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function lineFor({ file, names, lines }: Location, at: number): string {
  const where = lines.length === 0 ? "" : `:${lines.join(",")}`;
  return visible(`${at + 1}  ${file}${where}${names.length === 0 ? "" : `  ${names.join(", ")}`}`);
}
