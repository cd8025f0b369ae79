import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localizeOf } from "../../src/cli/localize/command.ts";
import { repositoryOf } from "../experience/repomem/git-repository.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import { runCommand } from "./run-command-in.ts";

const issue = "Brackets come out in the wrong colour";

describe("pmcoder localize --summaries", () => {
  it("has the files that changed most summarised once, for the agent to ask", async () => {
    const folder = repositoryOf([
      { message: "Begin", put: { "src/parse.js": "parse\n", "src/render.js": "render\n" } },
      { message: "Once more", put: { "src/parse.js": "parse twice\n" } },
      { message: "1.0", put: { "notes.md": "1.0\n" } },
    ]);
    const server = await openaiServer({ forgetful: true });
    const model = ["--model", "openai:test", "--base-url", `${server.url}/v1`];
    const localize = (...args: readonly string[]) =>
      runCommand(localizeOf, { home: folder, args: [...model, ...args, issue] });
    const search = { name: "SearchSummary", arguments: '{"query": "colour"}', id: "call-1" };
    const asks = reply({ calls: [search], finish: "tool_calls" });
    const points = reply({ content: "```\nsrc/render.js\n```" });
    server.answer(reply({ content: "Parses." }), reply({ content: "Renders\ncolour." }));
    server.answer(asks, points);
    const first = await localize("--summaries");
    expect([first.codes, first.out]).toEqual([[0], "1  src/render.js\n"]);
    expect(first.err).toBe(
      '2 of 2 files were summarised now, for $0.0000.\nSearchSummary {"query":"colour"}\n',
    );
    const kept = readFileSync(join(folder, ".pmcoder", "summaries.jsonl"), "utf8");
    expect(kept).toContain('"file":"src/parse.js","edits":2,"summary":"Parses."');

    server.answer(asks, points);
    expect((await localize()).codes).toEqual([0]);
    const told = JSON.stringify(server.received.at(-1)?.body);
    expect(told).toContain('"content":"src/render.js: Renders colour."');

    server.answer(asks, points);
    expect((await localize("-c", "experience.repomem.summarised=1")).codes).toEqual([0]);
    const fewer = JSON.stringify(server.received.at(-1)?.body);
    expect(fewer).toContain('"content":"No summary has any of these words."');
    await server.close();
  });
});
