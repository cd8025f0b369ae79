import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RepoMemConfig } from "../../../src/domain/config/repomem.ts";
import { bm25 } from "../../../src/experience/bm25.ts";
import { rememberCommits, tokenizers } from "../../../src/experience/repomem/commit-memory.ts";
import { votes } from "../../../src/experience/repomem/evidence.ts";
import { isSource, isTest, moduleOf } from "../../../src/experience/repomem/files.ts";
import { mentionsIn } from "../../../src/experience/repomem/mentions.ts";
import { dampen, rankFiles, sayWhy } from "../../../src/experience/repomem/rank-files.ts";
import { made } from "./made-commits.ts";

const config = RepoMemConfig.parse({});

const messages = [
  "fixed MigrationWriter missing import enum",
  "fixed OperationWriter serialization indent",
  "added docs covering MigrationWriter",
  "refs QuerySet union ordering",
];

const memoryOf = (commits: Parameters<typeof rememberCommits>[0], tokenizer = "code" as const) =>
  rememberCommits(commits, { files: null, tokenize: tokenizers[tokenizer], moves: true });

describe("messages by BM25", () => {
  it.each([
    ["whitespace", [2.8729, 0, 0.712, 0]],
    ["code", [3.9382, 0.3632, 1.7749, 0]],
  ] as const)("with terms by %s score %j", (tokenizer, scores) => {
    const tokenize = tokenizers[tokenizer];
    const commits = messages.map((message, at) => made(`m${at}`, { message }));
    const memory = rememberCommits(commits, { files: null, tokenize, moves: false });
    const found = bm25(tokenize("MigrationWriter missing import"), memory.messages, [0, 1, 2, 3]);
    expect([...found].map((score) => Number(score.toFixed(4)))).toEqual(scores);
  });
});

describe("a query", () => {
  it.each([
    [1, 1],
    [2, 2],
    [4, 2],
    [5, 3],
    [400, 7],
  ])("asks a term that stands %d times %d times", (n, times) => {
    expect(dampen(Array.from({ length: n }, () => "x"))).toHaveLength(times);
  });
});

const history = [
  made("newest", { message: "Fix parsing of nested brackets", files: ["src/parse.py"] }),
  made("second", {
    message: "Brackets once more",
    files: ["src/parse.py", "src/tokens.py", "tests/test_parse.py"],
  }),
  made("third", { message: "Write release notes", files: ["docs/notes.md", "src/release.py"] }),
  made("moved", { message: "Use a src layout", files: ["lib/render.py", "src/render.py"] }),
  made("oldest", { message: "Render brackets in colour", files: ["lib/render.py"] }),
];
const files = ["src/parse.py", "src/tokens.py", "src/release.py", "src/render.py", "docs/notes.md"];

describe("votes", () => {
  it("are the square of a commit's score against the best, shared by the root of its files", () => {
    const memory = memoryOf(history.slice(0, 3));
    const [first = 0, second = 0] = bm25(["brackets"], memory.messages, [0, 1, 2]);
    const best = Math.max(first, second);
    const found = votes(memory, ["brackets"], 2);
    const share = (second / best) ** 2 / Math.sqrt(3);
    expect(found.get("src/tokens.py")).toBeCloseTo(share, 10);
    expect(found.get("src/parse.py")).toBeCloseTo((first / best) ** 2 + share, 10);
    expect(found.has("src/release.py")).toBe(false);
  });
});

describe("a ranking", () => {
  it("says which files, why, and by which commit", () => {
    const [first, ...others] = rankFiles(memoryOf(history), "nested brackets break", files, config);
    expect(first?.file).toBe("src/parse.py");
    expect(first && sayWhy(first)).toEqual([
      "its own commits speak of this",
      'changed by newest000 "Fix parsing of nested brackets"',
      "changed lately",
    ]);
    expect(others.map(({ file }) => file)).not.toContain("docs/notes.md");
  });

  it("follows a file that was moved, unless that is switched off", () => {
    const scores = (moves: boolean) => {
      const memory = rememberCommits(history, { files: null, tokenize: tokenizers.code, moves });
      const evidence = { votes: 1, histories: 0, paths: 0, mentions: 0, recency: 0 };
      const only = { ...config, evidence };
      const ranked = rankFiles(memory, "Colour of brackets", files, only);
      return ranked.find(({ file }) => file === "src/render.py")?.score ?? 0;
    };
    expect(scores(true)).toBeGreaterThan(0.9);
    expect(scores(false)).toBe(0);
  });

  it.each(["votes", "histories", "paths", "mentions", "recency"] as const)(
    "has no reason of a kind that is switched off: %s",
    (kind) => {
      const issue = "brackets: src/parse.py cannot parse";
      const off = { ...config, evidence: { ...config.evidence, [kind]: 0 } };
      const kinds = (given: RepoMemConfig) =>
        rankFiles(memoryOf(history), issue, files, given).flatMap(({ reasons }) =>
          reasons.map((reason) => reason.kind),
        );
      expect(kinds(config)).toContain(kind);
      expect(kinds(off)).not.toContain(kind);
    },
  );

  it("holds known source files alone, each once, best first, whatever the issue says", () => {
    const memory = memoryOf(history);
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (issue) => {
        const ranked = rankFiles(memory, issue, files, config);
        const names = ranked.map(({ file }) => file);
        expect(new Set(names).size).toBe(names.length);
        expect(names.every((name) => files.includes(name) && isSource(name))).toBe(true);
        ranked.slice(1).forEach(({ score }, at) => {
          expect(score).toBeLessThanOrEqual(ranked[at]?.score ?? 0);
        });
      }),
    );
  });

  it("of a repository without commits stands on names alone", () => {
    const ranked = rankFiles(memoryOf([]), "see src/tokens.py", files, config);
    expect(ranked[0]?.file).toBe("src/tokens.py");
  });
});

describe("what an issue calls a file by", () => {
  const known = [
    "src/pkg/core/base.py",
    "src/pkg/utils.py",
    "src/pkg/core/__init__.py",
    "lib/utils.py",
  ];
  it.each([
    ["see src/pkg/utils.py", ["src/pkg/utils.py", 1]],
    ['File "/usr/lib/site-packages/pkg/core/base.py", line 3', ["src/pkg/core/base.py", 1]],
    ["C:\\work\\pkg\\core\\base.py:12: error", ["src/pkg/core/base.py", 1]],
    ["base.py fails", ["src/pkg/core/base.py", 1]],
    ["import pkg.core.base.Thing", ["src/pkg/core/base.py", 0.5]],
    ["pkg.core.make()", ["src/pkg/core/__init__.py", 0.5]],
    ["utils.py", ["src/pkg/utils.py", 0.5], ["lib/utils.py", 0.5]],
    ["/home/me/project/utils.py"],
    ["notes.txt and e.g. this"],
  ] as const)("%j", (issue, ...expected) => {
    const found = mentionsIn(issue, known).map(({ file, weight }) => [file, weight]);
    expect(found).toEqual(expected);
  });
});

describe("a path", () => {
  it.each([
    ["tests/a.py", true],
    ["testing/python/a.py", true],
    ["pkg/testing/a.py", false],
    ["pkg/test_a.py", true],
    ["pkg/conftest.py", true],
    ["src/a.spec.ts", true],
    ["src/latest.py", false],
    ["pkg/contest.py", false],
  ])("%s is a test: %s", (path, is) => {
    expect(isTest(path)).toBe(is);
  });

  it.each([
    ["a/b/c.py", "a/b/c"],
    ["a/b/__init__.py", "a/b"],
    ["a/index.ts", "a"],
    ["setup.py", "setup"],
  ])("%s is the module %s", (path, name) => {
    expect(moduleOf(path)).toBe(name);
  });
});
