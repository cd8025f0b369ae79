import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  distancesFrom,
  emptyGraph,
  type FileGraph,
  proximity,
  type Sighting,
  sight,
} from "../../../src/substrate/memory/file-graph.ts";

const costs = { import: 1, cooccurrence: 1, adjacency: 2 };

/** Each sighting's files stand next to those of the one before, unless `previous` says otherwise. */
function grow(sightings: readonly Partial<Sighting>[], start: FileGraph = emptyGraph): FileGraph {
  return sightings.reduce<FileGraph>(
    (graph, { files = [], previous = [], imports = [] }) =>
      sight(graph, { files, previous, imports }, costs).graph,
    start,
  );
}

function proximities(graph: FileGraph, anchor: readonly string[], files: readonly string[]) {
  const distances = distancesFrom(graph, anchor, 4);
  return files.map((file) => proximity(distances, [graph.files.words.indexOf(file)]));
}

const chain = grow([
  { files: ["base.py"] },
  { files: ["migrate.py"], imports: [{ file: "migrate.py", stems: ["base"] }] },
  { files: ["settings.py"], previous: [1] },
  { files: ["settings.py", "tests.py"] },
  { files: ["tests.py", "x.py"] },
]);
const files = ["base.py", "migrate.py", "settings.py", "tests.py", "x.py"];

describe("file graph", () => {
  it("halves proximity with each unit of cost, and ends at four", () => {
    expect(proximities(chain, ["base.py"], files)).toEqual([1, 0.5, 0.125, 0.0625, 0]);
  });

  it("shortens paths when a new edge is seen", () => {
    const more = grow([{ imports: [{ file: "settings.py", stems: ["base"] }] }], chain);
    expect(proximities(more, ["base.py"], files)).toEqual([1, 0.5, 0.5, 0.25, 0.125]);
  });

  it("joins an import with its file whichever was seen first", () => {
    const imports = [{ file: "a/b.py", stems: ["a/c", "a/c/f"] }];
    const late = grow([{ files: ["a/b.py"], imports }, { files: ["a/c.py"] }]);
    const early = grow([{ files: ["a/c.py"] }, { files: ["a/b.py"], imports }]);
    const pack = grow([{ files: ["a/b.py"], imports }, { files: ["a/c/__init__.py"] }]);
    expect(proximities(late, ["a/b.py"], ["a/c.py"])).toEqual([0.5]);
    expect(proximities(early, ["a/b.py"], ["a/c.py"])).toEqual([0.5]);
    expect(proximities(pack, ["a/b.py"], ["a/c/__init__.py"])).toEqual([0.5]);
  });

  it("does not join files through a module that nobody saw", () => {
    const graph = grow([
      { files: ["a.py"], imports: [{ file: "a.py", stems: ["os"] }] },
      { files: ["b.py"], imports: [{ file: "b.py", stems: ["os"] }] },
    ]);
    expect(proximities(graph, ["a.py"], ["b.py"])).toEqual([0]);
  });

  it("knows the files of imports that no node names", () => {
    const graph = grow([
      { files: ["base.py"] },
      { files: [], imports: [{ file: "far.py", stems: ["base"] }] },
    ]);
    expect(proximities(graph, ["base.py"], ["far.py"])).toEqual([0.5]);
  });

  it("is 0 without files on either side", () => {
    expect(proximity(distancesFrom(chain, ["base.py"], 4), [])).toBe(0);
    expect(proximities(chain, [], files)).toEqual([0, 0, 0, 0, 0]);
    expect(proximities(chain, ["unknown.py"], files)).toEqual([0, 0, 0, 0, 0]);
  });

  const name = fc.constantFrom("a.py", "b.py", "p/c.py", "p/__init__.py", "d.ts", "__proto__", "e");
  const sighting = fc.record({
    files: fc.uniqueArray(name),
    imports: fc.array(
      fc.record({ file: name, stems: fc.uniqueArray(fc.constantFrom("a", "p", "p/c", "d", "q")) }),
      { maxLength: 3 },
    ),
  });

  it("measures the same from both ends, and goes on from JSON", () => {
    fc.assert(
      fc.property(fc.array(sighting, { maxLength: 12 }), sighting, (sightings, next) => {
        const graph = grow(sightings);
        const copy: FileGraph = JSON.parse(JSON.stringify(graph));
        const nextSighting = { ...next, previous: graph.edges.length > 0 ? [0] : [] };
        expect(sight(copy, nextSighting, costs)).toEqual(sight(graph, nextSighting, costs));
        const known = graph.files.words;
        const matrix = known.map((file) => distancesFrom(graph, [file], 6));
        for (const [a, row] of matrix.entries()) {
          expect(row[a]).toBe(0);
          for (const [b, distance] of row.entries()) expect(matrix[b]?.[a]).toBe(distance);
        }
      }),
    );
  });
});
