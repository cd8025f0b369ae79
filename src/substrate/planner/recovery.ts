import type { RecoveryTemplate, StuckSignal, SubTask } from "../../domain/plan.ts";

/** What a recovery is opened for. */
export interface Failure {
  readonly signal: StuckSignal;
  /** The item that was active, to be tried again by another way; null when none was. */
  readonly failed: SubTask | null;
  /** Files edited heavily or left corrupt, worst first. */
  readonly heavy: readonly string[];
  /** Those of `heavy` that the episode itself created: there is no committed state to go back to. */
  readonly created: readonly string[];
  /** The action repeated most, and how often. */
  readonly repeated: { readonly name: string; readonly n: number } | null;
}

type Draft = Pick<SubTask, "title" | "phase"> & Partial<Pick<SubTask, "keywords" | "files">>;

/**
 * The template that answers a failure (arXiv:2608.06811, III-B and III-E name reverting and fixing
 * again when a sub-task fails amid heavily edited files; the other three are our choice: one for
 * each stuck signal). Heavy or corrupt files win over any signal.
 */
export function templateFor({
  signal,
  heavy,
}: Pick<Failure, "signal" | "heavy">): RecoveryTemplate {
  if (signal === "repeatedEdits" || heavy.length > 0) return "RT-REFIX";
  if (signal === "failedReturns") return "RT-DIAG";
  return signal === "repeatedAction" ? "RT-ALT" : "RT-COMMIT";
}

const drafts: Record<RecoveryTemplate, (failure: Failure) => readonly Draft[]> = {
  "RT-REFIX": ({ heavy, created }) => [
    { title: restoring(heavy, created), phase: "implement", files: heavy },
    {
      title: `Find out why the earlier edits of ${list(heavy)} did not work`,
      phase: "hypothesize",
      files: heavy,
    },
    { title: "Make the smallest fix again, from the clean file", phase: "implement", files: heavy },
  ],
  "RT-DIAG": () => [
    {
      title: "Read the error of the failing command and the code that raises it",
      phase: "explore",
    },
    { title: "State one cause that explains that error", phase: "hypothesize" },
  ],
  "RT-ALT": ({ repeated, failed }) => [
    { title: alternative(repeated), phase: "hypothesize" },
    ...(failed === null ? [] : [failed]),
  ],
  "RT-COMMIT": () => [
    {
      title: "Name the one place that, by what was read, most likely holds the fault",
      phase: "hypothesize",
    },
    { title: "Make the smallest edit there", phase: "implement" },
  ],
};

/**
 * The recovery's items, first to do first. `recovery` is the number of the backtrack, from 1.
 */
export function recoveryItems(failure: Failure, recovery: number): readonly SubTask[] {
  return drafts[templateFor(failure)](failure).map((draft, index) => ({
    id: `r${recovery}.${index + 1}`,
    title: draft.title,
    phase: draft.phase,
    keywords: draft.keywords ?? [],
    files: draft.files ?? [],
    recovery,
    terminal: false,
    status: "pending",
    skipped: false,
    evidence: 0,
    passed: 0,
    restored: [],
    failReason: null,
  }));
}

/** Longest part of an action that a title quotes, in characters (our choice: one line). */
const quoteLimit = 80;

function restoring(heavy: readonly string[], created: readonly string[]): string {
  const committed = heavy.filter((file) => !created.includes(file));
  const own = heavy.filter((file) => created.includes(file));
  const restore =
    committed.length > 0 &&
    `Restore ${list(committed)} to the committed state (git checkout -- ${committed.map(shellWord).join(" ")})`;
  const remove = own.length > 0 && `Delete ${list(own)}, which is new in this episode`;
  return [restore, remove].filter(Boolean).join("; ");
}

function alternative(repeated: Failure["repeated"]): string {
  if (repeated === null) return "Choose another way to look at the problem";
  const { name, n } = repeated;
  const quoted = name.length > quoteLimit ? `${name.slice(0, quoteLimit)}…` : name;
  return `Choose another probe than \`${quoted}\`, which was run ${n} times`;
}

function list(files: readonly string[]): string {
  return files.join(", ");
}

/** A path as one word of a shell command. */
function shellWord(path: string): string {
  return /^[\w./+@%:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
