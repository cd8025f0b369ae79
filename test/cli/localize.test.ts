import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localizeOf } from "../../src/cli/localize/command.ts";
import { gitAt, type Made, repositoryOf } from "../experience/repomem/git-repository.ts";
import { runCommand } from "./run-command-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const issue = "Nested brackets break parse()\n\nReading `[[1]]` gives an IndexError.";

const history: readonly Made[] = [
  { message: "Begin", put: { "src/parse.js": "export function parse() {}\n", "README.md": "x\n" } },
  { message: "Render colours", put: { "src/render.js": "export function render() {}\n" } },
  {
    message: "Let the parser read nested brackets (#4)",
    put: {
      "src/parse.js": "export function parse(text) {}\n",
      "src/tokens.js": "export class Reader {}\n",
    },
  },
  { message: "Write release notes", put: { "notes.md": "1.0\n" } },
  { message: "Test brackets", put: { "test/parse.test.js": "// brackets\n" } },
  { message: "1.0", put: { "notes.md": "1.0.0\n" } },
];

const localize = (folder: string, ...args: readonly string[]) =>
  runCommand(localizeOf, { home: folder, args });

/** The refusal of a command. */
const refusal = (folder: string, ...args: readonly string[]) =>
  localize(folder, ...args).then(
    () => "it was not refused",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const parsed = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("pmcoder localize --no-model", () => {
  it("ranks files by commits alone and says why", async () => {
    const { codes, out, err } = await localize(repositoryOf(history), "--no-model", issue);
    expect([codes, err]).toEqual([[0], ""]);
    expect(out.replaceAll(/\b[0-9a-f]{9}\b/g, "SHA")).toMatchInlineSnapshot(`
      " 1  2.27  src/parse.js
                its own commits speak of this
                its path has words of the issue
                changed by SHA "Let the parser read nested brackets (#4)"
                changed lately
       2  1.55  src/tokens.js
                its own commits speak of this
                changed by SHA "Let the parser read nested brackets (#4)"
                changed lately
       3  0.07  src/render.js
                changed lately
      "
    `);
  });

  it("gives the same as JSON, with what it stands on", async () => {
    const folder = repositoryOf(history);
    writeFileSync(join(folder, "issue.md"), issue);
    const { out } = await localize(folder, "--no-model", "--json", "--issue", "issue.md");
    const lines = parsed(out);
    expect(lines[0]).toMatchObject({ rank: 1, file: "src/parse.js" });
    expect(lines.at(-1)).toEqual({
      files: ["src/parse.js", "src/tokens.js", "src/render.js"],
      base: gitAt(folder, ["rev-parse", "HEAD"]).trim(),
      commits: 5,
      later: 0,
      leaked: 0,
      shallow: false,
    });
  });

  it("says what memory cannot know", async () => {
    const folder = repositoryOf(history);
    gitAt(folder, ["clone", "-q", "--depth", "2", `file://${folder}`, "shallow"]);
    const gate = ["-c", "experience.repomem.gate=100"];
    const shallow = await localize(folder, "--no-model", "--repo", "shallow", ...gate, issue);
    expect(shallow.codes).toEqual([1]);
    expect(shallow.out).toBe("No file stands out.\n");
    expect(shallow.err).toMatchInlineSnapshot(`
      "This is a shallow clone: it holds 1 commit before the base. For the rest: git fetch --unshallow
      The history has 1 commit, fewer than experience.repomem.gate 100: memory says nothing.
      "
    `);
    const twin = `Let the parser read nested brackets (#4)\n\nIt cannot.`;
    const { err } = await localize(folder, "--no-model", twin);
    expect(err).toBe("1 commit is left out for speaking of this very issue.\n");
  });

  it("leaves out commits that are linked to an issue like this one", async () => {
    const folder = repositoryOf(history);
    writeFileSync(
      join(folder, "issues.jsonl"),
      JSON.stringify({ id: 4, title: issue, body: null }),
    );
    const { err } = await localize(folder, "--no-model", "--issues", "issues.jsonl", issue);
    expect(err).toBe("1 commit is left out for speaking of this very issue.\n");
    writeFileSync(join(folder, "broken.jsonl"), '\n{"id": 4}\n');
    const broken = await refusal(folder, "--no-model", "--issues", "broken.jsonl", issue);
    expect(broken).toContain("broken.jsonl:2 is no issue: expected a JSON object with id, title");
    expect(await refusal(folder, "--no-model", "--issues", "none", issue)).toContain("ENOENT");
  });

  it("counts how often it is right over a benchmark", async () => {
    const folder = repositoryOf(history);
    const [base = "", ...shas] = gitAt(folder, ["rev-list", "HEAD"]).trim().split("\n");
    const all = [base, ...shas].map((sha, at) => {
      const made = history[history.length - 1 - at];
      const files = Object.keys(made?.put ?? {});
      const parents = shas[at] === undefined ? [] : [shas[at]];
      const date = `2020-01-01T00:00:${String(59 - at)}+00:00`;
      return JSON.stringify({ sha, parents, date, subject: made?.message, body: "", files });
    });
    mkdirSync(join(folder, "commits"));
    writeFileSync(join(folder, "commits/o__n.jsonl.gz"), gzipSync(all.join("\n")));
    const patch = (...files: readonly string[]) =>
      files
        .map(
          (file) =>
            `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`,
        )
        .join("");
    const row = (id: string, given: Readonly<Record<string, unknown>>) =>
      JSON.stringify({
        instance_id: id,
        repo: "o/n",
        base_commit: base,
        problem_statement: issue,
        created_at: "2021-01-01",
        ...given,
      });
    const rows = [
      row("o__n-1", { patch: patch("src/parse.js", "test/parse.test.js") }),
      row("o__n-2", { patch: patch("src/parse.js", "src/tokens.js") }),
      row("o__n-3", { patch: patch("src/parse.js"), base_commit: "0".repeat(40) }),
      row("o__n-4", { patch: patch("test/parse.test.js") }),
      row("p__q-5", { patch: patch("a.js"), repo: "p/q" }),
    ];
    writeFileSync(join(folder, "rows.jsonl"), rows.join("\n"));
    const flags = ["--no-model", "--dataset", "rows.jsonl", "--commits", "commits"];
    const { codes, out, err } = await localize(folder, ...flags, "--json");
    expect(codes).toEqual([0]);
    const lines = parsed(out);
    expect(lines.map(({ instance_id }) => instance_id)).toEqual([
      "o__n-1",
      "o__n-2",
      "o__n-3",
      undefined,
    ]);
    expect(lines[1].predicted.slice(0, 2)).toEqual(["src/parse.js", "src/tokens.js"]);
    expect(JSON.stringify(lines[3])).toBe(
      JSON.stringify({ n: 3, acc_at_1: 1 / 3, acc_at_3: 2 / 3, acc_at_5: 2 / 3 }),
    );
    expect(err).toMatchInlineSnapshot(`
      "1 instance is left out: no history of theirs in commits.
      1 instance is left out: no gold patch that changes source.
      o__n-3: its base 0000000000000000000000000000000000000000 is not in the history; counted as missed.
      "
    `);
    const one = await localize(folder, ...flags, "--filter", "n-1$");
    expect(one.out).toMatchInlineSnapshot(`
      "repository  n  Acc@1  Acc@3  Acc@5
      o/n         1   1.00   1.00   1.00
      all         1   1.00   1.00   1.00
      "
    `);
    const gate = ["-c", "experience.repomem.gate=100"];
    expect((await localize(folder, ...flags, ...gate)).out).toMatch(/^all +3 +0\.00/m);
    expect(await refusal(folder, ...flags, "--filter", "none")).toContain(
      "No instance of rows.jsonl",
    );
    expect(await refusal(folder, ...flags, "--filter", "(")).toContain("is no regular expression");
  });

  it.each([
    [["--commits", "x"], "--commits wants --dataset FILE"],
    [["--commits", "x", "--dataset", "y"], "Over a benchmark by --commits no model is asked"],
    [["--filter", "x", "y"], "--filter wants --dataset FILE"],
    [["--dataset", "x", "--no-model"], "--commits DIR for all its instances"],
    [["--summaries", "--no-model", issue], "--summaries wants a model"],
    [[issue], "Or ask no model: --no-model"],
    [["--no-model"], "No issue is given"],
  ])("is refused: %j", async (args, text) => {
    expect(await refusal(temporaryFolder(), ...args)).toContain(text);
  });
});

describe("pmcoder localize --model", () => {
  /** A cassette of an agent that asks history and code, answers badly, and is asked once more. */
  function cassette(folder: string, sha: string): string {
    const call = (id: string, name: string, input: Readonly<Record<string, unknown>>) => ({
      id,
      name,
      input,
    });
    const reply = (content: string, ...calls: readonly unknown[]) => ({
      purpose: "locate",
      content,
      calls,
    });
    const lines = [
      { format: "pmcoder-cassette-1", model: "bundled:localize", task_sha256: "", task: issue },
      reply("", call("1", "SearchCommit", { query_list: ["nested brackets"] })),
      reply(
        "",
        call("2", "ExamineCommit", { sha_list: [sha] }),
        call("3", "SearchEntity", { query_list: ["parse"] }),
      ),
      reply("", call("4", "RetrieveEntity", { path: "src/parse.js" })),
      reply("It is in the parser."),
      reply("```\nsrc/parse.js\nfunction: parse\nline: 1\n\nsrc/tokens.js\nclass: Reader\n```"),
    ];
    const file = join(folder, "cassette.jsonl");
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return `replay:${file}`;
  }

  it("lets the agent read history and code, changes nothing, and prints where it points", async () => {
    const folder = repositoryOf(history);
    const sha = gitAt(folder, ["rev-parse", "HEAD~3"]).slice(0, 9);
    const model = cassette(folder, sha);
    const { codes, out, err } = await localize(folder, "--model", model, issue);
    expect([codes, out]).toEqual([[0], "1  src/parse.js:1  parse\n2  src/tokens.js  Reader\n"]);
    expect(err.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "SearchCommit",
      "ExamineCommit",
      "SearchEntity",
      "RetrieveEntity",
      "",
    ]);
    expect(gitAt(folder, ["status", "--porcelain"]).trim()).toBe("?? cassette.jsonl");
    const kept = join(folder, "again.jsonl");
    const json = await localize(folder, "--model", model, "--json", "--record", kept, issue);
    expect(parsed(json.out).at(-1)).toEqual({
      files: ["src/parse.js", "src/tokens.js"],
      calls: 5,
      cost: 0,
      asked_again: true,
    });
    expect(readFileSync(kept, "utf8")).toContain(`{"sha_list":["${sha}"]}`);
  });
});
