import { describe, expect, it } from "vitest";
import { answer } from "../../../src/experience/repomem/answers.ts";
import { memoryInputs, memoryTools } from "../../../src/experience/repomem/tools.ts";
import { made } from "./made-commits.ts";
import { memoryOf, summaryOf } from "./made-memory.ts";

const memory = memoryOf(
  [
    made("abc1", { message: "Parse nested brackets (#12)\n\nSlowly.", files: ["a.py", "b.py"] }),
    made("abc2", { message: "", files: [] }),
    made("abd3", {
      message: "Render brackets",
      files: Array.from({ length: 15 }, (_, n) => `f${n}.py`),
    }),
  ],
  [summaryOf("a.py", "Parses brackets."), summaryOf("b.py", "Renders colour.")],
);

describe("the four tools", () => {
  it("list commits by their messages, for each query", async () => {
    const query_list = ["nested brackets", "nothing like it"];
    expect(await answer(memory, "SearchCommit", { query_list })).toMatchInlineSnapshot(`
      "nested brackets:
      abc100000 | Parse nested brackets (#12) | a.py, b.py
      abd300000 | Render brackets | f0.py, f1.py, f2.py, f3.py, f4.py, f5.py, f6.py, f7.py, f8.py, f9.py, f10.py, f11.py, and 3 more

      nothing like it:
      no message has any of these words"
    `);
    const one = await answer(memory, "SearchCommit", { query_list: ["brackets"], top_k: 1 });
    expect(one.split("\n")).toHaveLength(2);
  });

  it("show a commit with its patch, cut, and its issue", async () => {
    const sha_list = ["abc100000", "ab"];
    const shown = await answer(memory, "ExamineCommit", { sha_list, display_issue: true });
    expect(shown).toMatchInlineSnapshot(`
      "abc100000 | Parse nested brackets (#12) | a.py, b.py
      Parse nested brackets (#12)

      Slowly.

      Issue #12: It breaks
      Often.

      diff --git a/abc100000000000000000000000
      [the rest of the patch is left out]

      No commit ab is remembered. Meant is perhaps abc100000, abc200000, abd300000.

      Line numbers in these patches are of their time; look at today's files."
    `);
    expect(await answer(memory, "ExamineCommit", { sha_list: ["abc1000001"] })).toContain(
      "No commit abc1000001 is remembered.",
    );
  });

  it("show and search summaries", async () => {
    const seen = await answer(memory, "ViewSummary", { file_list: ["./a.py", "c.py"] });
    expect(seen).toBe("a.py: Parses brackets.\n\nc.py has no summary.");
    expect(await answer(memory, "SearchSummary", { query: "colour" })).toBe(
      "b.py: Renders colour.",
    );
    expect(await answer(memory, "SearchSummary", { query: "?" })).toBe(
      "No summary has any of these words.",
    );
  });

  it.each([
    ["SearchCommit", {}, "SearchCommit cannot be called so: query_list"],
    ["SearchCommit", { query_list: ["x"], top_k: 0 }, "SearchCommit cannot be called so: top_k"],
    ["ExamineCommit", { sha_list: "abc" }, "ExamineCommit cannot be called so: sha_list"],
    ["SearchSummary", { query: "" }, "SearchSummary cannot be called so: query"],
  ] as const)("answer a wrong call of %s as text: %j", async (tool, input, text) => {
    expect(await answer(memory, tool, input)).toContain(text);
  });

  it("say so where a part of memory is not there", async () => {
    const empty = { ...memory, commits: null, summaries: null };
    const told = await Promise.all([
      answer(empty, "SearchCommit", { query_list: ["x"] }),
      answer(empty, "ExamineCommit", { sha_list: ["abc100000"] }),
      answer(empty, "ViewSummary", { file_list: ["a.py"] }),
      answer(empty, "SearchSummary", { query: "x" }),
    ]);
    expect(told.map((text) => text.split("\n")[0])).toEqual([
      "There is no memory of commits here.",
      "There is no memory of commits here.",
      "There are no summaries of files here.",
      "There are no summaries of files here.",
    ]);
  });

  it("take what their schemas say", () => {
    for (const { name, parameters } of memoryTools(memory)) {
      const shape = memoryInputs[name as keyof typeof memoryInputs].shape;
      expect(Object.keys(parameters["properties"] as object)).toEqual(Object.keys(shape));
    }
    expect(memoryTools(memory).map(({ parameters }) => parameters["required"])).toEqual([
      ["query_list"],
      ["sha_list"],
      ["file_list"],
      ["query"],
    ]);
  });
});
