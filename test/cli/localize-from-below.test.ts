import { join } from "node:path";
import { expect, it } from "vitest";
import { localizeOf } from "../../src/cli/localize/command.ts";
import { repositoryOf } from "../experience/repomem/git-repository.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import { runCommand } from "./run-command-in.ts";

it("searches all of the code from any folder of the repository", async () => {
  const folder = repositoryOf([
    { message: "Begin", put: { "src/parse.js": "brackets\n", "docs/guide.md": "brackets\n" } },
  ]);
  const server = await openaiServer({ forgetful: true });
  const search = (id: string, input: object) => ({
    id,
    name: "SearchEntity",
    arguments: JSON.stringify({ query_list: ["brackets"], ...input }),
  });
  const calls = [search("call-1", {}), search("call-2", { file_pattern: "src/*.js" })];
  server.answer(
    reply({ calls, finish: "tool_calls" }),
    reply({ content: "```\nsrc/parse.js\n```" }),
  );
  const model = ["--model", "openai:test", "--base-url", `${server.url}/v1`];
  const args = [...model, "--repo", join(folder, "docs"), "Brackets are lost"];
  const { codes, out } = await runCommand(localizeOf, { home: folder, args });
  expect([codes, out]).toEqual([[0], "1  src/parse.js\n"]);
  const told = JSON.stringify(server.received.at(-1)?.body);
  expect(told).toContain('brackets:\\ndocs/guide.md:1:brackets\\nsrc/parse.js:1:brackets"');
  expect(told).toContain('brackets:\\nsrc/parse.js:1:brackets"');
  await server.close();
});
