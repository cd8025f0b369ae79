import { resolve } from "node:path";
import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { plural } from "../../domain/quantities.ts";
import type { IssueEntry, Target } from "../../experience/repomem/commit.ts";
import { type Built, buildMemory } from "../../experience/repomem/locate.ts";
import {
  type Git,
  gitIn,
  type History,
  readHistory,
} from "../../experience/repomem/read-history.ts";
import { readIssues } from "../../experience/repomem/read-issues.ts";
import { systemClock } from "../compose.ts";
import type { Io } from "../io.ts";
import { identityOf } from "../issue-identity.ts";
import { counterOn } from "../replay-progress.ts";
import { readTask, type Task } from "../task-source.ts";
import { numbersOf } from "./chosen-rows.ts";
import type { LocalizeFlags } from "./command.ts";
import { sparseness } from "./repo-memory.ts";

/** A repository's memory for one issue, and what it was made of. */
export interface KnownPast {
  readonly target: Target;
  readonly history: History;
  readonly built: Built;
  /** The repository's other issues, as far as they were given. */
  readonly issues: readonly IssueEntry[];
  readonly git: Git;
  /** Absolute path. */
  readonly folder: string;
}

interface Reading {
  readonly io: Io;
  readonly signal: AbortSignal;
}

/**
 * Reads the issue and the history before it, and tells people what memory cannot know. Rejects with
 * PmcoderError `usage`.
 */
export async function readPast(
  text: string | undefined,
  flags: LocalizeFlags,
  config: RepoMemConfig,
  { io, signal }: Reading,
): Promise<KnownPast> {
  const { issue, instance, dataset, repo = ".", base } = flags;
  const task = await readTask({ text, issue, instance, dataset }, io);
  const from = base ?? (task.kind === "instance" ? task.row.base_commit : "HEAD");
  const issues = flags.issues === undefined ? [] : await readIssues(resolve(io.cwd, flags.issues));
  const place = { folder: resolve(io.cwd, repo), from, issues };
  const past = await pastOf(task, place, config, { io, signal });
  for (const line of shortcomings(past, config)) io.stderr.write(`${line}\n`);
  return past;
}

/** What memory may know of a task in a repository, looking back from a commit. */
export async function pastOf(
  task: Task,
  { folder, from, issues }: Pick<KnownPast, "folder" | "issues"> & { readonly from: string },
  config: RepoMemConfig,
  { io, signal }: Reading,
): Promise<KnownPast> {
  const git = gitIn(folder, signal);
  const counter = counterOn(io.stderr, () => performance.now());
  const { window } = config;
  const tell = (read: number) => counter.tell(read, window, "commits are read");
  const history = await readHistory(git, from, { window, tell });
  counter.clear();
  const { createdAt } = await identityOf(task, { top: folder, now: systemClock.now() });
  const numbers = task.kind === "instance" ? numbersOf(task.row) : [];
  const target = { issue: task.text, createdAt, numbers };
  const built = buildMemory({ ...history, issues }, target, config);
  return { target, history, built, issues, git, folder };
}

function shortcomings({ history, built }: KnownPast, config: RepoMemConfig): readonly string[] {
  const { memory, later, leaked } = built;
  const beyond = [
    later > 0 ? `${leftOut(later)} for being no older than the issue.` : "",
    leaked > 0 ? `${leftOut(leaked)} for speaking of this very issue.` : "",
    memory.commits.length === 0 ? "No commit before the base is left to learn from." : "",
  ];
  return [...sparseness(history, config), ...beyond.filter((line) => line !== "")];
}

const leftOut = (n: number) => `${plural(n, "commit")} ${n === 1 ? "is" : "are"} left out`;
