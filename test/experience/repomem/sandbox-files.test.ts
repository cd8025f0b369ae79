import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, type RepoMemory } from "../../../src/experience/repomem/answers.ts";
import { gitIn, readHistory } from "../../../src/experience/repomem/read-history.ts";
import { sandboxFiles } from "../../../src/experience/repomem/sandbox-files.ts";
import { repositoryOf } from "./git-repository.ts";
import { made } from "./made-commits.ts";
import { memoryOf, summaryOf } from "./made-memory.ts";

/** The command as it stands in a sandbox, with this memory beside it. */
function installed(memory: RepoMemory, cwd = "/") {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-repomem-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync("assets/repomem/repomem", join(folder, "repomem"));
  for (const { name, text } of sandboxFiles(memory)) writeFileSync(join(folder, name), text);
  return (...args: readonly string[]) =>
    execFileSync("/bin/sh", [join(folder, "repomem"), ...args], {
      encoding: "utf8",
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
}

const word = fc.constantFrom(
  "parseHTTPHeader",
  "parse_http",
  "http",
  "QuerySet",
  "a.b.query",
  "x2",
);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

describe("the command in the sandbox", () => {
  it("finds what the tool finds, in its order", async () => {
    const messages = fc.array(text, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(messages, text, async (all, query) => {
        const commits = all.map((message, at) => made(`c${at}`, { message, files: ["a.py"] }));
        const memory = memoryOf(commits);
        const expected = await answer(memory, "SearchCommit", { query_list: [query] });
        expect(installed(memory)("search-commit", query).trimEnd()).toBe(expected);
      }),
      { numRuns: 8 },
    );
  });

  it("answers several queries, keeps to -n, and says when nothing is found", () => {
    const repomem = installed(
      memoryOf([made("c1", { message: "One" }), made("c2", { message: "One" })]),
    );
    expect(repomem("search-commit", "-n", "1", "one", "two")).toBe(
      "one:\nc10000000 | One | \n\ntwo:\nno message has any of these words\n".replace(
        "| \n",
        "|\n",
      ),
    );
  });

  it("shows and searches summaries", () => {
    const repomem = installed(
      memoryOf([], [summaryOf("a.py", "Parses\nbrackets."), summaryOf("b.py", "More.")]),
    );
    expect(repomem("view-summary", "./a.py", "c.py")).toBe(
      "a.py: Parses brackets.\nc.py has no summary.\n",
    );
    expect(repomem("search-summary", "brackets")).toBe("a.py: Parses brackets.\n");
    expect(repomem("search-commit", "x")).toBe("There is no memory of commits here.\n");
  });

  it("shows a commit of the repository it is run in, and no other", async () => {
    const folder = repositoryOf([
      { message: "Begin", put: { "a.py": "a = 1\n" } },
      { message: "Count on", put: { "a.py": "a = 2\n" } },
    ]);
    const { commits } = await readHistory(gitIn(folder), "HEAD", { window: 9 });
    const repomem = installed({ ...memoryOf(commits), patchChars: 2000 }, folder);
    const shown = repomem("examine-commit", commits[0]?.sha.slice(0, 9) ?? "", "0000", "$(id)");
    expect(shown).toContain("| Count on | a.py\nCount on\n");
    expect(shown).toContain("\n-a = 1\n+a = 2\n");
    expect(shown).toContain("No commit 0000 is remembered.\n");
    expect(shown).toContain("No commit $(id) is remembered.\n");
    expect(shown).toContain("Line numbers in these patches are of their time");
  });

  it.each([
    [[]],
    [["help"]],
    [["search-commit"]],
    [["learn"]],
    [["search-commit", "-n", "x", "y"]],
  ])("explains itself: %j", (args) => {
    const repomem = installed(memoryOf([]));
    const told = () => {
      try {
        return [0, repomem(...args)];
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: string };
        return [status, stderr];
      }
    };
    const [status, said] = told();
    expect(said).toMatch(/search-commit \[-n 20\]|-n wants a number/);
    expect(status).toBe(args.length === 0 || args[0] === "help" ? 0 : 2);
  });
});
