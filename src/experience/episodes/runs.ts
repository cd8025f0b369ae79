import type { PastEpisode } from "../../domain/experience.ts";
import type { Segment, ShellAction, ShellContext } from "../../substrate/shell/action.ts";
import { noMemory, type ShellMemory } from "../../substrate/shell/memory.ts";
import { failedRunner } from "../../substrate/shell/test-summary.ts";
import { understand } from "../../substrate/shell/understand.ts";

type PastStep = PastEpisode["steps"][number];

/** Something that an episode ran to see what the code does. */
export interface Run {
  readonly step: number;
  /** A script that the episode wrote, code on the command line, or tests. */
  readonly kind: "script" | "inline" | "test";
  /** The script's path, or the command. */
  readonly name: string;
  /** What was run: the script's text, or the command. */
  readonly text: string;
  readonly output: string;
  /** null: it could not run at all, or its status is not known. */
  readonly passed: boolean | null;
  /** How many times the repository's source had been changed before. */
  readonly edits: number;
}

interface SourceEdit {
  readonly step: number;
  readonly command: string;
  readonly files: readonly string[];
}

/** What an episode ran, changed and read, in order, as its commands tell. */
export interface EpisodeWork {
  readonly runs: readonly Run[];
  readonly edits: readonly SourceEdit[];
  /** Files of the repository that were read before the first edit. */
  readonly reads: readonly string[];
}

interface Fold {
  readonly shell: ShellMemory;
  readonly runs: Run[];
  readonly edits: SourceEdit[];
  readonly reads: Set<string>;
}

/** Reads an episode's commands; a step that ran nothing tells nothing. Never throws. */
export function workOf({ steps, root }: Pick<PastEpisode, "steps" | "root">): EpisodeWork {
  const context: ShellContext = { root, listing: null };
  let fold: Fold = { shell: noMemory, runs: [], edits: [], reads: new Set() };
  for (const step of steps) fold = takeIn(fold, step, context);
  return { runs: fold.runs, edits: fold.edits, reads: [...fold.reads] };
}

function takeIn(fold: Fold, step: PastStep, context: ShellContext): Fold {
  const { action, memory } = understand(step.command, fold.shell, context);
  if (fold.edits.length === 0) {
    const known = action.reads.filter(({ path }) => memory.files[path]?.origin === "tracked");
    for (const { path } of known) if (isSource(path)) fold.reads.add(path);
  }
  for (const segment of action.segments) {
    noteEdit(fold.edits, segment, step);
    const run = runOf(segment, { step, action, memory, context });
    if (run !== null) fold.runs.push({ ...run, edits: fold.edits.length });
  }
  return { ...fold, shell: memory };
}

/** One edit a step, whatever number of its segments change source. */
function noteEdit(edits: SourceEdit[], { class: kind, source }: Segment, step: PastStep): void {
  const files = source.filter((path) => !isTestFile(path));
  if (kind !== "edit" || files.length === 0 || edits.at(-1)?.step === step.index) return;
  edits.push({ step: step.index, command: step.command, files });
}

interface Seen {
  readonly step: PastStep;
  readonly action: ShellAction;
  readonly memory: ShellMemory;
  readonly context: ShellContext;
}

/** What a segment ran, if it ran something that may pass or fail. */
function runOf(segment: Segment, { step, action, memory, context }: Seen) {
  const command = action.normalized ?? step.command;
  const seen = { step: step.index, output: step.output };
  if (segment.class === "test") {
    return { ...seen, kind: "test" as const, name: command, text: command, passed: passes(step) };
  }
  if (segment.class !== "execute") return null;
  const passed = passes(step) === false || endsInError(step.output) ? false : passes(step);
  if (segment.script === null) {
    return { ...seen, kind: "inline" as const, name: command, text: step.command, passed };
  }
  const { script } = segment;
  const body = memory.scripts.find(({ path }) => path === script)?.body;
  if (body === undefined || editsWhenRun(segment, memory, context)) return null;
  return { ...seen, kind: "script" as const, name: script, text: body, passed };
}

/** A patch script: running it is the edit. */
function editsWhenRun({ head, script }: Segment, memory: ShellMemory, context: ShellContext) {
  const { action } = understand(`${head} '${script}'`, memory, context);
  return action.segments.some(({ class: kind, source }) => kind === "edit" && source.length > 0);
}

/** What a shell or a runner prints when it never came to run what it was asked to. */
const neverRan =
  /command not found|No module named '?"?(?:pytest|nose|tox)\b|can't open file|unrecognized arguments|no tests ran|file or directory not found/;

function passes({ exitCode, output, timedOut }: PastStep): boolean | null {
  if (timedOut || exitCode === null || (exitCode !== 0 && neverRan.test(output))) return null;
  return exitCode === 0 && failedRunner(output) === null;
}

/** The output ends with an exception: a pipe or an `echo` after it hides the status. */
function endsInError(output: string): boolean {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  return /^[\w.]*(?:Error|Exception)(?::|$)/.test(last) && output.includes("Traceback");
}

const testFile =
  /(?:^|\/)(?:tests?|testing|__tests__)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.\w+$/;

function isTestFile(path: string): boolean {
  return testFile.test(path);
}

const isSource = (path: string) =>
  !path.startsWith("/") && !path.startsWith("~") && /\.\w+$/.test(path);
