import type { FileLists, FileRead, Segment } from "./action.ts";
import type { Effect } from "./meaning.ts";
import type { Ledger } from "./memory.ts";

export type Undecided = Omit<Segment, "decisive">;

type Changes = Pick<Segment, "reads" | "edited" | "created" | "deleted" | "reverted" | "source">;

/** Carries effects out on the ledger, and lists them by what they do. */
export function applyEffects(effects: readonly Effect[], ledger: Ledger): Changes {
  const reads: FileRead[] = [];
  const lists = { edited: [], created: [], deleted: [], reverted: [] } as Record<
    "edited" | "created" | "deleted" | "reverted",
    string[]
  >;
  const source: string[] = [];
  for (const effect of effects) {
    const { path } = effect;
    if (effect.kind === "read") {
      ledger.seen(path);
      reads.push({ path, lines: effect.lines });
      continue;
    }
    lists[listOf(effect.kind, path, ledger)].push(path);
    carryOut[effect.kind](ledger, path);
    if (effect.kind !== "revert" && !ledger.isScratch(path)) source.push(path);
  }
  return { reads, ...mapValues(lists), source: unique(source) };
}

function listOf(
  kind: "edit" | "write" | "delete" | "revert",
  path: string,
  ledger: Ledger,
): "edited" | "created" | "deleted" | "reverted" {
  if (kind === "write") return ledger.exists(path) ? "edited" : "created";
  if (kind === "edit") return "edited";
  return kind === "delete" ? "deleted" : "reverted";
}

const carryOut = {
  edit: (ledger: Ledger, path: string) => ledger.edit(path),
  write: (ledger: Ledger, path: string) => ledger.write(path),
  delete: (ledger: Ledger, path: string) => ledger.remove(path),
  revert: (ledger: Ledger, path: string) => ledger.revert(path),
};

function mapValues<K extends string>(lists: Record<K, string[]>): Record<K, readonly string[]> {
  const entries = Object.entries<string[]>(lists).map(([key, list]) => [key, unique(list)]);
  return Object.fromEntries(entries) as Record<K, readonly string[]>;
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}

/** The file lists of all segments together, in order, each path once (a read once per lines). */
export function gather(segments: readonly FileLists[]): FileLists {
  const reads = new Map<string, FileRead>();
  for (const read of segments.flatMap((segment) => segment.reads)) {
    reads.set(JSON.stringify([read.path, read.lines]), read);
  }
  return {
    reads: [...reads.values()],
    edited: unique(segments.flatMap((segment) => segment.edited)),
    created: unique(segments.flatMap((segment) => segment.created)),
    deleted: unique(segments.flatMap((segment) => segment.deleted)),
    reverted: unique(segments.flatMap((segment) => segment.reverted)),
    captured: unique(segments.flatMap((segment) => segment.captured)),
  };
}

/**
 * A script's segments as the one that runs it: an edit when one of them changes source or unnamed
 * files, a test run when one is, else still a run.
 */
export function mergeScript(outer: Undecided, inner: readonly Undecided[]): Undecided {
  const edits = inner.some(
    ({ class: kind, source, unresolved }) => kind === "edit" && (source.length > 0 || unresolved),
  );
  const has = (kind: Undecided["class"]): boolean => inner.some((part) => part.class === kind);
  const files = gather([outer, ...inner]);
  return {
    ...outer,
    ...files,
    reads: outer.reads,
    class: edits ? "edit" : has("revert") ? "revert" : has("test") ? "test" : outer.class,
    source: unique(inner.flatMap((part) => part.source)),
    unresolved: edits && inner.some((part) => part.unresolved),
    targets: unique(inner.flatMap((part) => part.targets)),
  };
}
