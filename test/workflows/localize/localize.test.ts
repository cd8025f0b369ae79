import { describe, expect, it } from "vitest";
import type { Code } from "../../../src/workflows/localize/code-tools.ts";
import { localize } from "../../../src/workflows/localize/localize.ts";
import { made } from "../../experience/repomem/made-commits.ts";
import { memoryOf } from "../../experience/repomem/made-memory.ts";
import { type Scripted, scriptedModel } from "../../scripted-model.ts";

const texts: Readonly<Record<string, string>> = {
  "src/parse.py": "import tokens\n\ndef parse(text):\n    return tokens.read(text)\n",
  "src/tokens.py": "class Reader:\n    pass\n",
  "README.md": "parse\n",
};

const code: Code = {
  files: new Set(Object.keys(texts)),
  grep: async (text) =>
    Object.entries(texts).flatMap(([file, all]) =>
      all
        .split("\n")
        .flatMap((line, at) => (line.includes(text) ? [`${file}:${at + 1}:${line}`] : [])),
    ),
  read: async (path) => texts[path] ?? "",
};

const answered = (content: string): Scripted => ({
  message: { role: "assistant", content, calls: [] },
});
const calling = (...calls: readonly (readonly [string, Record<string, unknown>])[]): Scripted => ({
  message: {
    role: "assistant",
    content: "",
    calls: calls.map(([name, input], at) => ({ id: `c${at}`, name, input })),
  },
  stop: "calls",
});

async function run(
  script: readonly Scripted[],
  given: { steps?: number; costLimit?: number } = {},
) {
  const price = { input: 1000, cached: 0, cacheWritten: 0, output: 0 };
  const model = scriptedModel(script, price);
  const memory = memoryOf([made("a1", { message: "Parse brackets", files: ["src/parse.py"] })]);
  const lines: string[] = [];
  const found = await localize({
    model,
    memory: { ...memory, summaries: null },
    code,
    issue: "Brackets break",
    steps: 9,
    costLimit: 100,
    maxOutputTokens: 1000,
    signal: new AbortController().signal,
    tell: (line) => lines.push(line),
    ...given,
  });
  const answers = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
  return { found, model, lines, answers: answers.map(({ content }) => content) };
}

const list = "```\nsrc/parse.py\nfunction: parse\nline: 3\n```";

describe("the localisation agent", () => {
  it("asks history and code until it answers", async () => {
    const { found, answers, model, lines } = await run([
      calling(["SearchCommit", { query_list: ["brackets"] }], ["TraverseGraph", { path: "" }]),
      calling(
        ["SearchEntity", { query_list: ["parse"] }],
        ["TraverseGraph", { path: "src/parse.py" }],
      ),
      calling(["RetrieveEntity", { path: "src/parse.py", start_line: 3, end_line: 4 }]),
      answered(list),
    ]);
    const location = { file: "src/parse.py", names: ["parse"], lines: [3] };
    expect(found).toEqual({ locations: [location], calls: 4, costUsd: 4, askedAgain: false });
    expect(answers).toMatchInlineSnapshot(`
      [
        "brackets:
      a10000000 | Parse brackets | src/parse.py",
        "src/
      README.md",
        "parse:
      src/parse.py:3:def parse(text):
      README.md:1:parse",
        "src/parse.py defines:
      3	def parse(text):
      imports:
      1	import tokens
      is named in imports of:",
        "src/parse.py, of 5 lines:
      3	def parse(text):
      4	    return tokens.read(text)",
      ]
    `);
    expect(lines[0]).toBe('SearchCommit {"query_list":["brackets"]}');
    const [first] = model.requests;
    expect(first?.tools.map(({ name }) => name)).toEqual([
      "SearchCommit",
      "ExamineCommit",
      "SearchEntity",
      "TraverseGraph",
      "RetrieveEntity",
    ]);
    expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
    expect(first?.messages[1]?.content).toContain("Ask SearchCommit, ExamineCommit what");
  });

  it("is asked once more where its answer names no file, and then no more", async () => {
    const { found } = await run([answered("Somewhere."), answered(list)]);
    expect([found.locations.length, found.askedAgain, found.calls]).toEqual([1, true, 2]);
    const { found: none } = await run([answered("Somewhere."), answered("Who knows.")]);
    expect(none).toMatchObject({ locations: [], askedAgain: true, calls: 2 });
  });

  it.each([{ steps: 2 }, { costLimit: 1 }])("has to answer at its limit: %j", async (limit) => {
    const look = calling(["TraverseGraph", { path: "src" }]);
    const { found, model } = await run([look, answered(list)], limit);
    expect(found.locations).toHaveLength(1);
    const last = model.requests.at(-1);
    expect(last?.tools).toEqual([]);
    expect(last?.messages.at(-1)?.content).toMatch(/^There is no room for further tool calls/);
  });

  it("hears what was wrong with a call", async () => {
    const broken = { id: "c1", name: "SearchCommit", input: {}, malformed: "No JSON." } as const;
    const { answers } = await run([
      calling(
        ["bash", { command: "id" }],
        ["RetrieveEntity", { path: "../etc/passwd" }],
        ["TraverseGraph", { path: "nowhere" }],
        ["SearchEntity", {}],
      ),
      { message: { role: "assistant", content: "", calls: [broken] }, stop: "calls" },
      answered(list),
    ]);
    expect(answers.map((text) => text.split("\n")[0])).toEqual([
      "There is no tool bash.",
      "There is no file ../etc/passwd.",
      "There is no file or folder nowhere.",
      expect.stringContaining("SearchEntity cannot be called so: query_list"),
      "No JSON.",
    ]);
  });
});
