import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { startPmcoder } from "./run-process.ts";
import { pmcoder, sh, world } from "./run-world.ts";

const demo = resolve("assets/demo");

it("one command searches the demo's repository with bundled replies until its tests pass", async () => {
  const at = world();
  const repo = join(at.folder, "stopwatch-text");
  sh(at.folder, `git init -q ${repo}`);
  sh(repo, `git fast-import --quiet <${join(demo, "history")} && git reset -q --hard main`);
  const args = ["run", "--issue", join(demo, "issue.md"), "--workflow", "swe-exp"];
  const model = ["--model", `replay:${join(demo, "swe-exp.jsonl")}`];
  const { child, ended, err } = startPmcoder(
    { ...at, repo },
    [...args, ...model, "--environment", "local", "--yes"],
    {},
  );
  child.stdin?.end();
  expect(await ended, err()).toBe(0);
  expect(err()).toMatch(/Searching a tree of up to 20 nodes/);

  const applied = await pmcoder({ ...at, repo }, ["apply", "last"]);
  expect(applied.code, applied.err).toBe(0);
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const tests = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: repo,
    env,
  });
  expect(tests.toString()).toMatch(/^# fail 0$/m);

  const page = join(at.folder, "search.html");
  const viewed = await pmcoder({ ...at, repo }, ["view", "last", "--export", page]);
  expect(viewed.code, viewed.err).toBe(0);
  const text = readFileSync(page, "utf8");
  expect(text).toContain('<h2 id="tree-title">Search</h2>');
  expect(text.match(/<summary><b>\d+<\/b> StringReplace/g)?.length).toBeGreaterThan(2);
});
