import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitAt, repositoryOf } from "../experience/repomem/git-repository.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import type { Received } from "../loopback/request-rules.ts";
import type { Answer } from "../loopback/server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const put = (...files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [file, `// brackets of ${file}\n`]));

const patchOf = (files: readonly string[]) =>
  files.map((file) => `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`).join("");

/** A call and an answer for each issue; `src/late.js` came after the base. */
const script = [
  {
    issue: "Nested brackets break",
    call: { name: "SearchCommit", arguments: '{"query_list": ["brackets"]}' },
    files: ["src/late.js", "src/parse.js"],
  },
  {
    issue: "Colours are lost",
    call: { name: "SearchEntity", arguments: '{"query_list": ["brackets"]}' },
    files: ["lib/a.js", "lib/b.js"],
  },
  {
    issue: "Tokens are wrong",
    call: { name: "TraverseGraph", arguments: '{"path": "src"}' },
    files: ["src/parse.js"],
  },
];

/** The issue that a request is about, by its place in the dataset. */
export const issueIn = ({ body }: Received) =>
  script.findIndex(({ issue }) => JSON.stringify(body).includes(issue));

/** What the agent of the script says next. */
export function scripted(received: Received): Answer {
  const { call, files = [] } = script[issueIn(received)] ?? {};
  const hasAsked = JSON.stringify(received.body).includes('"role":"tool"');
  if (call === undefined || hasAsked) {
    return reply({ content: `\`\`\`\n${files.join("\n")}\n\`\`\`` });
  }
  return reply({ calls: [{ id: "call-1", ...call }], finish: "tool_calls" });
}

/** A folder with a dataset of three rows that can be asked for, and the clones of two repositories. */
export function datasetWorld() {
  const folder = temporaryFolder();
  const first = repositoryOf([
    { message: "Begin", put: put("src/parse.js", "src/render.js", "src/tokens.js") },
    { message: "Read brackets", put: { "src/parse.js": "// brackets\n" } },
    { message: "Count brackets (#1)", put: { "src/tokens.js": "// brackets\n" } },
    { message: "1.0", put: put("notes.md") },
    { message: "After the base", put: put("src/late.js") },
  ]);
  const second = repositoryOf([
    { message: "Begin", put: put("lib/a.js", "lib/b.js") },
    { message: "Go on", put: put("lib/c.js") },
  ]);
  mkdirSync(join(folder, "clones"));
  gitAt(folder, ["clone", "-q", first, "clones/o__n"]);
  gitAt(folder, ["clone", "-q", "--bare", second, "clones/p__q"]);
  const base = gitAt(first, ["rev-parse", "HEAD~1"]).trim();
  const bare = gitAt(second, ["rev-parse", "HEAD"]).trim();
  const row = (id: string, at: number, base_commit: string, ...gold: readonly string[]) =>
    JSON.stringify({
      instance_id: id,
      repo: id.replace(/-\d+$/, "").replace("__", "/"),
      base_commit,
      problem_statement: script[at]?.issue ?? "Another",
      patch: patchOf(gold),
      created_at: "2021-01-01",
    });
  const rows = [
    row("o__n-1", 0, base, "src/parse.js", "test/parse.test.js"),
    row("p__q-2", 1, bare, "lib/b.js"),
    row("o__n-3", 2, base, "src/parse.js", "src/render.js"),
    row("x__y-4", 3, base, "src/parse.js"),
    row("o__n-5", 3, "0".repeat(40), "src/parse.js"),
  ];
  writeFileSync(join(folder, "rows.jsonl"), rows.join("\n"));
  return { folder, home: folder, repo: folder };
}

/** A server of the script, and the flags that let the dataset be asked of it. */
export async function datasetServer(respond: (received: Received) => Answer = scripted) {
  const server = await openaiServer({ forgetful: true, respond });
  const model = ["--model", "openai:test", "--base-url", `${server.url}/v1`];
  const flags = [...model, "--dataset", "rows.jsonl", "--repos", "clones", "--json"];
  return { server, flags };
}
