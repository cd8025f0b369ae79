import { describe, expect, it } from "vitest";
import type { Occasion } from "../../../src/domain/experience.ts";
import type { Target } from "../../../src/experience/repomem/commit.ts";
import { repoMem } from "../../../src/experience/repomem/memory.ts";
import { made } from "./made-commits.ts";
import { memoryOf, summaryOf } from "./made-memory.ts";

const memory = memoryOf(
  [
    made("a1", { message: "Parse nested brackets", files: ["a.py", "b.py"] }),
    made("a2", { message: "Write notes", files: ["n.md"] }),
    made("a3", { message: "Brackets", files: ["1.py", "2.py", "3.py", "4.py", "5.py"] }),
  ],
  [summaryOf("a.py", "Parses brackets."), summaryOf("b.py", "Renders colour.")],
);

const occasion: Occasion = {
  target: { instanceId: "o__n-12", repo: "o/n", issue: "Nested brackets break", createdAt: 5 },
  phase: "explore",
  entry: 1,
  refining: false,
  failure: null,
};

function opened(command: string | null, most = 5) {
  const asked: Target[] = [];
  const long = repoMem({
    recallCommits: most,
    recallSummaries: 3,
    open: async (target) => {
      asked.push(target);
      return { memory, command, denied: { same_issue: 2 } };
    },
  });
  return { long, asked };
}

describe("a repository's history as a memory across issues", () => {
  it("tells as exploration begins which commits and files speak like the issue", async () => {
    const { long, asked } = opened("/r/repomem");
    const { recollections, denied } = await long.recall(occasion);
    expect(recollections.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "a10000000 "Parse nested brackets" changed a.py, b.py",
        "a30000000 "Brackets" changed 1.py, 2.py, 3.py, 4.py, and 1 more",
        "More of it: /r/repomem search-commit "WORDS" · examine-commit SHA · search-summary "WORDS" · view-summary FILE",
        "a.py: Parses brackets.",
      ]
    `);
    expect(new Set(recollections.map(({ source, stage }) => `${source} ${stage}`))).toEqual(
      new Set(["repomem loc"]),
    );
    expect(denied).toEqual({ same_issue: 2 });
    await long.recall(occasion);
    expect(asked).toEqual([{ ...occasion.target, numbers: ["12"] }]);
  });

  it.each(["hypothesize", "implement", "verify", "backtrack"] as const)(
    "says nothing as another phase is entered: %s",
    async (phase) => {
      const { long, asked } = opened(null);
      const { recollections } = await long.recall({ ...occasion, phase });
      expect([recollections, asked]).toEqual([[], []]);
    },
  );

  it("does not name tools that are not there, and names no number of an issue without one", async () => {
    const { long, asked } = opened(null, 1);
    const target = { ...occasion.target, instanceId: null };
    const { recollections } = await long.recall({ ...occasion, target });
    expect(recollections.map(({ id }) => id)).toEqual([made("a1").sha, "a.py"]);
    expect(asked[0]?.numbers).toEqual([]);
  });

  it("learns from no episode: what is committed is history by itself", async () => {
    const from = occasion.target;
    const episode = { from, source: "x", resolved: true, steps: [], patch: "" };
    expect(await opened(null).long.learn({ ...episode, workdir: "/r" } as never)).toEqual({
      added: 0,
      changed: 0,
      notes: [],
    });
  });
});
