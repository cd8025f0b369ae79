import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Model } from "../../domain/model.ts";
import { textOf } from "../../experience/repomem/read-history.ts";
import { type Source, summarise } from "../../experience/repomem/summarise.ts";
import { type FileSummary, mostEdited } from "../../experience/repomem/summary.ts";
import { openSummaryFile } from "../../experience/repomem/summary-file.ts";
import { makeStateFolder } from "../../store/state-folder.ts";
import type { Code } from "../../workflows/localize/code-tools.ts";
import { type Localized, localize } from "../../workflows/localize/localize.ts";
import type { Io } from "../io.ts";
import { statePlace } from "../places.ts";
import { counterOn } from "../replay-progress.ts";
import type { LocalizeFlags } from "./command.ts";
import type { KnownPast } from "./read-past.ts";
import { repoMemoryOf, summaryPlace } from "./repo-memory.ts";

interface Asking {
  readonly model: Model;
  readonly config: RunConfig;
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Told of each tool call, and of each retry. */
  readonly tell: (line: string) => void;
}

/** Lets the localisation agent read what is known of a repository. Rejects as the model does. */
export async function askAgent(
  past: KnownPast,
  flags: LocalizeFlags,
  asking: Asking,
): Promise<Localized> {
  const { model, config, signal, tell } = asking;
  const { repomem } = config.experience;
  const summaries = await summariesFor(past, flags, asking);
  return localize({
    model,
    memory: repoMemoryOf(past, summaries, repomem),
    code: codeOf(past),
    issue: past.target.issue,
    steps: repomem.agentSteps,
    costLimit: config.agent.costLimit ?? Number.POSITIVE_INFINITY,
    maxOutputTokens: config.model.maxOutputTokens,
    signal,
    tell,
  });
}

/** Those that are kept; with `--summaries` also those that are still to be made. */
async function summariesFor(
  { history, built, git }: KnownPast,
  flags: LocalizeFlags,
  { model, config, io, signal }: Asking,
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
