import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ancestorsOf } from "../../../src/experience/repomem/ancestry.ts";
import type { Commit } from "../../../src/experience/repomem/commit.ts";
import { retain } from "../../../src/experience/repomem/retain.ts";
import { graphOf, made } from "./made-commits.ts";

/** c1 is the newest; each stands on the next. */
const line = Array.from({ length: 10 }, (_, at) => {
  const parents = at < 9 ? [made(`c${at + 2}`).sha] : [];
  const message = at === 6 ? "Fixes #1" : `change ${at + 1}`;
  return made(`c${at + 1}`, { parents, message, committedAt: 1000 - at * 10 });
});

const issue = "the flush method is never called on the wrapped stream during migrate";
const issues = [
  { id: "1", title: "flush method is never called on the console", body: "" },
  { id: "2", title: "stream wrapper ignores encoding on windows hosts", body: "" },
];
const rules = { base: made("c3").sha, window: 7000, leakFilter: true };

const names = (commits: readonly Commit[]) => commits.map(({ sha }) => sha.replace(/0+$/, ""));
const historyOf = (base: string) => ancestorsOf(graphOf(line), made(base).sha);

describe("the commits that a memory holds", () => {
  it("are those before the base and the issue that are not linked to an issue like it", () => {
    const target = { issue, createdAt: 965, numbers: [] };
    const { commits, later, leaked } = retain(historyOf("c3"), target, rules, issues);
    expect(commits.map(({ message }) => message)).toEqual(
      [5, 6, 8, 9, 10].map((n) => `change ${n}`),
    );
    expect([later, leaked]).toEqual([1, 1]);
  });

  it.each([
    ["a smaller window", { ...rules, window: 2 }, ["c4", "c5"]],
    ["no filter", { ...rules, leakFilter: false, window: 4 }, ["c4", "c5", "c6", "c7"]],
  ])("follow %s", (_, other, expected) => {
    const target = { issue, createdAt: null, numbers: [] };
    expect(names(retain(historyOf("c3"), target, other, issues).commits)).toEqual(expected);
  });

  it("leave out what names the target's own number, says what it says, or has no date", () => {
    const history = [
      made("a1", { message: "Merge #77 into main" }),
      made("a2", { message: `${issue}\n\nmore` }),
      made("a3", { committedAt: null }),
      made("a4", { message: "kept" }),
    ];
    const target = { issue, createdAt: 5, numbers: ["77"] };
    const { commits, later, leaked } = retain(history, target, rules);
    expect(names(commits)).toEqual(["a4"]);
    expect([later, leaked]).toEqual([1, 2]);
  });

  it("are no merges, and these take no room in the window", () => {
    const history = [
      made("m", { parents: ["x", "y", "z"] }),
      made("a"),
      made("n", { parents: ["x", "y"] }),
      made("b"),
    ];
    const target = { issue, createdAt: null, numbers: [] };
    expect(names(retain(history, target, { ...rules, window: 2 }).commits)).toEqual(["a", "b"]);
  });
});

/** A graph of any shape: each commit stands on some of those before it. */
const graphs = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.array(fc.nat(), { maxLength: 4 })), {
    minLength: 1,
    maxLength: 25,
  })
  .map((drafts) =>
    drafts.map(([date, picks], at) => {
      const parents = at === 0 ? [] : [...new Set(picks.map((pick) => made(`n${pick % at}-`).sha))];
      return made(`n${at}-`, { parents, committedAt: date === 50 ? null : date });
    }),
  );

describe("the ancestors of a base", () => {
  it("come each once, all of them, none before a child of it", () => {
    fc.assert(
      fc.property(graphs, (commits) => {
        const graph = graphOf(commits);
        const base = commits.at(-1)?.sha ?? "";
        const found = [...ancestorsOf(graph, base)].map(({ sha }) => sha);
        const reached = new Set([base]);
        for (const sha of reached)
          for (const one of graph.get(sha)?.parents ?? []) reached.add(one);
        expect(found[0]).toBe(base);
        expect(found.toSorted()).toEqual([...reached].sort());
        found.slice(1).forEach((sha, at) => {
          const children = found.slice(0, at + 1).map((child) => graph.get(child)?.parents ?? []);
          expect(children.flat()).toContain(sha);
        });
      }),
    );
  });

  it("end where a shallow clone ends, and an unknown base is told", () => {
    const graph = graphOf([made("a", { parents: ["gone"] })]);
    expect([...ancestorsOf(graph, made("a").sha)]).toHaveLength(1);
    expect(() => [...ancestorsOf(graph, "other")]).toThrow(
      "The history has no commit other; is it of this repository?",
    );
  });
});
