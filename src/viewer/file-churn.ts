import { numberOf } from "../substrate/memory/lexicon.ts";
import type { Memory } from "../substrate/memory/memory.ts";
import type { Insight } from "./insight.ts";

/** What an episode did to one file. */
export interface FileRow {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** One a step: what it did that weighs most. */
  readonly cells: readonly { readonly step: number; readonly did: "read" | "edit" | "revert" }[];
}

export interface FileChurn {
  /** The most edited first, then the most read. */
  readonly rows: readonly FileRow[];
  /** Files that have no row. */
  readonly more: number;
  /** Edges of the file graph between rows, by place; `cost` 1 is the strongest. */
  readonly arcs: readonly { readonly from: number; readonly to: number; readonly cost: number }[];
}

/** Rows of the figure (our choice: what one can take in). */
const rowLimit = 16;

/** The files that the steps touched, and how memory's graph joins them. `memory` null: no graph. */
export function fileChurn(insights: readonly Insight[], memory: Memory | null): FileChurn {
  const cells = new Map<string, FileRow["cells"][number][]>();
  const note = (path: string, step: number, did: FileRow["cells"][number]["did"]) => {
    const known = cells.get(path) ?? [];
    if (known.at(-1)?.step !== step) known.push({ step, did });
    cells.set(path, known);
  };
  for (const [at, { reads, edits, reverts }] of insights.entries()) {
    for (const path of reverts) note(path, at + 1, "revert");
    for (const path of edits) note(path, at + 1, "edit");
    for (const path of reads) note(path, at + 1, "read");
  }
  const all = [...cells].map(([path, did]): FileRow => {
    const edits = did.filter((cell) => cell.did !== "read").length;
    return { path, cells: did, edits, reads: did.length - edits };
  });
  const rows = all
    .toSorted((a, b) => b.edits - a.edits || b.reads - a.reads || (a.path < b.path ? -1 : 1))
    .slice(0, rowLimit);
  return { rows, more: all.length - rows.length, arcs: arcsBetween(rows, memory) };
}

function arcsBetween(rows: readonly FileRow[], memory: Memory | null): FileChurn["arcs"] {
  if (memory === null) return [];
  const { graph } = memory;
  const places = new Map(
    rows.map(({ path }, place) => [numberOf(graph.files, path), place] as const),
  );
  return rows.flatMap(({ path }, from) => {
    const edges = graph.edges[numberOf(graph.files, path) ?? -1] ?? [];
    return edges.flatMap(([file, cost]) => {
      const to = places.get(file);
      return to === undefined || to <= from ? [] : [{ from, to, cost }];
    });
  });
}
