import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { startPmcoder } from "./run-process.ts";
import { sh, world } from "./run-world.ts";

const demo = resolve("assets/demo");

/** Contents by path, the repository's own folder left out. */
const contents = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(".git"))
      .map(({ parentPath, name }) => [
        join(parentPath, name).slice(folder.length),
        readFileSync(join(parentPath, name), "utf8"),
      ]),
  );

it("one command asks the demo's history with bundled replies, and names the file to change", async () => {
  const at = world();
  const repo = join(at.folder, "stopwatch-text");
  sh(at.folder, `git init -q ${repo}`);
  sh(repo, `git fast-import --quiet <${join(demo, "history")} && git reset -q --hard main`);
  expect(contents(repo)).toEqual(contents(join(demo, "repo")));

  const cassette = join(demo, "localize.jsonl");
  const asked = /"sha_list":\[([^\]]+)\]/.exec(readFileSync(cassette, "utf8"))?.[1] ?? "";
  const known = sh(repo, "git log --format=%H").split("\n");
  const shas: readonly string[] = JSON.parse(`[${asked}]`);
  expect(shas.map((sha) => known.filter((one) => one.startsWith(sha)).length)).toEqual([1, 1]);

  const args = ["localize", "--issue", join(demo, "issue.md"), "--model", `replay:${cassette}`];
  const { child, ended, out, err } = startPmcoder({ ...at, repo }, args);
  child.stdin?.end();
  expect(await ended, err()).toBe(0);
  expect(out()).toMatchInlineSnapshot(`
    "1  src/parse.js:3,9  parse
    2  src/format.js:14  format
    3  src/units.js:2
    "
  `);
  expect(err().match(/^\w+/gm)).toEqual([
    "SearchCommit",
    "ExamineCommit",
    "SearchEntity",
    "RetrieveEntity",
    "TraverseGraph",
  ]);
  expect(sh(repo, "git status --porcelain")).toBe("");
});
