import { type FileImports, stemOf } from "./imports.ts";
import { emptyLexicon, enter, type Lexicon, numberOf } from "./lexicon.ts";

/**
 * What the episode showed of how files belong together. Vertices are the files that nodes name;
 * edges are undirected, the cheapest of their kinds counts (arXiv:2608.06811, III-C: co-occurrence,
 * imports, trajectory adjacency; the costs are ours).
 */
export interface FileGraph {
  /** The vertices, numbered. */
  readonly files: Lexicon;
  /** By file: its neighbours and what each costs. */
  readonly edges: readonly (readonly Edge[])[];
  /** Paths without extension, which is how files import each other. */
  readonly stems: Lexicon;
  /** By stem: the files that import it, whether or not a file of that stem was seen. */
  readonly importers: readonly (readonly number[])[];
  /** By stem: the files that have it. */
  readonly owners: readonly (readonly number[])[];
}

type Edge = readonly [to: number, cost: number];

/** Costs of an edge, by kind. */
export interface EdgeCosts {
  readonly import: number;
  readonly cooccurrence: number;
  readonly adjacency: number;
}

/** What one node adds: the files it names, those of the tool node before it, imports it shows. */
export interface Sighting {
  readonly files: readonly string[];
  readonly previous: readonly number[];
  readonly imports: readonly FileImports[];
}

export const emptyGraph: FileGraph = {
  files: emptyLexicon,
  edges: [],
  stems: emptyLexicon,
  importers: [],
  owners: [],
};

/** The graph grown by one node; `numbers` are those of its files, in the given order. */
export function sight(
  graph: FileGraph,
  { files, previous, imports }: Sighting,
  costs: EdgeCosts,
): { readonly graph: FileGraph; readonly numbers: readonly number[] } {
  const importing = imports.map(({ file }) => file).filter((file) => !files.includes(file));
  const entered = enter(graph.files, [...files, ...new Set(importing)]);
  const numbers = entered.numbers.slice(0, files.length);
  const edges = [...graph.edges];
  for (const a of numbers) {
    for (const b of numbers) if (a < b) connect(edges, a, b, costs.cooccurrence);
    for (const b of previous) connect(edges, a, b, costs.adjacency);
  }
  const fresh = entered.numbers.filter((number) => number >= graph.edges.length);
  for (const number of fresh) edges[number] ??= [];
  const known = { ...graph, files: entered.lexicon };
  return { graph: { ...known, ...withImports(known, { edges, fresh, imports }, costs) }, numbers };
}

interface Growth {
  readonly edges: (readonly Edge[])[];
  /** Vertices that this node brought. */
  readonly fresh: readonly number[];
  readonly imports: readonly FileImports[];
}

interface StemEnd {
  readonly stem: string;
  readonly file: number;
}

/** Joins every importing file with every owner of the stem, whichever of them comes last. */
function withImports(
  graph: FileGraph,
  { edges, fresh, imports }: Growth,
  costs: EdgeCosts,
): Omit<FileGraph, "files"> {
  const owned = fresh.flatMap((file): readonly StemEnd[] => {
    const stem = stemOf(graph.files.words[file] ?? "");
    return stem === null ? [] : [{ stem, file }];
  });
  const wanted = imports.flatMap(({ file, stems }): readonly StemEnd[] => {
    const number = numberOf(graph.files, file);
    return number === null ? [] : stems.map((stem) => ({ stem, file: number }));
  });
  const named = new Set([...owned, ...wanted].map(({ stem }) => stem));
  const { lexicon: stems } = enter(graph.stems, [...named]);
  const owners = stems.words.map((_, stem) => graph.owners[stem] ?? []);
  const importers = stems.words.map((_, stem) => graph.importers[stem] ?? []);
  const joinAll = (
    ends: readonly StemEnd[],
    own: (readonly number[])[],
    other: readonly (readonly number[])[],
  ) => {
    for (const { stem, file } of ends) {
      const number = numberOf(stems, stem) ?? -1;
      own[number] = [...new Set([...(own[number] ?? []), file])];
      for (const end of other[number] ?? []) connect(edges, file, end, costs.import);
    }
  };
  joinAll(owned, owners, importers);
  joinAll(wanted, importers, owners);
  return { edges, stems, importers, owners };
}

function connect(edges: (readonly Edge[])[], a: number, b: number, cost: number): void {
  if (a === b) return;
  link(edges, a, b, cost);
  link(edges, b, a, cost);
}

function link(edges: (readonly Edge[])[], from: number, to: number, cost: number): void {
  const known = edges[from] ?? [];
  const index = known.findIndex(([neighbour]) => neighbour === to);
  if (index < 0) edges[from] = [...known, [to, cost]];
  else if (cost < (known[index]?.[1] ?? 0)) edges[from] = known.with(index, [to, cost]);
}

/**
 * The cost of the cheapest path to each file, by number, from the nearest of `sources`; Infinity
 * beyond `bound`. Costs are whole numbers, so that files can be visited cost by cost.
 */
export function distancesFrom(
  { files, edges }: FileGraph,
  sources: readonly string[],
  bound: number,
): readonly number[] {
  const distances = new Array<number>(files.words.length).fill(Number.POSITIVE_INFINITY);
  const reached: number[][] = Array.from({ length: bound + 1 }, () => []);
  reached[0]?.push(...sources.flatMap((source) => numberOf(files, source) ?? []));
  for (const [distance, arrivals] of reached.entries()) {
    for (const file of arrivals) {
      if ((distances[file] ?? 0) <= distance) continue;
      distances[file] = distance;
      for (const [to, cost] of edges[file] ?? []) reached[distance + cost]?.push(to);
    }
  }
  return distances;
}

/** 2^(−distance) of the nearest of a node's files, 0 beyond reach (our choice of form). */
export function proximity(distances: readonly number[], files: readonly number[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const file of files) nearest = Math.min(nearest, distances[file] ?? nearest);
  return 2 ** -nearest;
}
