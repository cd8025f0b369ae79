import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds, startPmcoder } from "./run-process.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  readText,
  replayOf,
  runFolders,
  runIssue,
  sh,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

/** The two messages that open the only run's conversation. */
async function openingOf(at: World): Promise<{ readonly system: string; readonly task: string }> {
  const found = (await eventsOf(onlyRun(at))).find((event) => event.type === "prompt");
  if (found?.type !== "prompt") throw new Error("no prompt");
  return found;
}

describe("what pmcoder run reads", () => {
  it("is an issue from standard input", async () => {
    const at = world();
    const args = ["run", "--issue", "-", "--model", replayOf(at, fix, submit), "--yes"];
    expect((await pmcoder(at, args, { stdin: `${issue}\n\nSee § 3.\n` })).code).toBe(0);
    expect((await openingOf(at)).task).toContain(`${issue}\n\nSee § 3.`);
  });

  it("is the user's own prompts, with the issue where they want it", async () => {
    const at = world();
    const system = put(at, "system.md", "You mend {{task}} and nothing else.");
    const task = put(at, "task.md", "A: {{task}} B: {{ task }} C: {{other}} $& $1\n");
    const own = ["-c", `agent.systemPrompt=${system}`, "-c", `agent.taskPrompt=${task}`];
    expect((await runIssue(at, replayOf(at, fix, submit), ...own)).code).toBe(0);
    expect(await openingOf(at)).toMatchObject({
      system: `You mend ${issue} and nothing else.`,
      task: `A: ${issue} B: ${issue} C: {{other}} $& $1\n`,
    });
  });

  it("is a row of a data set, and its commit is compared", async () => {
    const at = world();
    const row = {
      instance_id: "acme__answer-1",
      repo: "acme/answer",
      base_commit: "0123456789012345678901234567890123456789",
      problem_statement: issue,
    };
    const dataset = put(at, "rows.jsonl", `not JSON\n${JSON.stringify(row)}\n`);
    const from = ["run", "--instance", row.instance_id, "--dataset", dataset, "--repo", at.repo];
    const model = ["--model", replayOf(at, fix, submit), "--yes", "--environment", kinds[0]];
    const { code, err } = await pmcoder(at, [...from, ...model], { cwd: at.folder });
    expect(code).toBe(0);
    const head = sh(at.repo, "git rev-parse HEAD").trim();
    expect(err).toContain(
      `acme__answer-1 was made for ${row.base_commit}; ${at.repo} stands at ${head} and is taken as it is.`,
    );
    const [folder = ""] = namesIn(join(at.folder, ".pmcoder", "runs"));
    const summary = summaryIn(join(at.folder, ".pmcoder", "runs", folder));
    expect(summary.instance_id).toBe("acme__answer-1");
    expect(runFolders(at)).toEqual([]);
  });
});

describe("where pmcoder run works", () => {
  it("is the repository around the folder named, whatever it is called, also by a link", async () => {
    const at = world();
    const odd = join(at.folder, `it's a "prøject" $HOME`);
    renameSync(at.repo, odd);
    mkdirSync(join(odd, "src"));
    mkdirSync(at.repo);
    symlinkSync(join(odd, "src"), join(at.folder, "link"));
    const model = replayOf(at, `pwd; ${fix}`, submit);
    const args = ["run", issue, "--model", model, "--yes", "--repo", "../link"];
    expect((await pmcoder(at, args)).code).toBe(0);
    expect(summaryIn(onlyRun(at)).patch).toMatchObject({ files: ["answer.py"], applies: true });
    expect(readText(odd, "answer.py")).toBe("answer = 41\n");
  });

  it("is the whole repository for a folder in it, which also keeps the state", async () => {
    const at = world();
    const cwd = join(at.repo, "src", "deep");
    mkdirSync(cwd, { recursive: true });
    const args = ["run", issue, "--model", replayOf(at, fix, submit), "--yes"];
    const { code } = await pmcoder(at, [...args, "--output", "../../../out"], { cwd });
    expect(code).toBe(0);
    expect(summaryIn(join(at.folder, "out")).db).toBe(join(at.repo, ".pmcoder", "pmcoder.db"));
  });

  it("is a branch without a commit too", async () => {
    const at = world();
    sh(at.repo, "rm -rf .git; git init -q");
    const { code } = await runIssue(at, replayOf(at, fix, submit));
    expect(code).toBe(0);
    expect(summaryIn(onlyRun(at)).base.commit).toBeNull();
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
  });

  it("holds what --copy tracked says, and tells what a copy never holds", async () => {
    const at = world();
    sh(at.repo, "echo build/ > .gitignore; mkdir build; echo b > build/b; echo KEY=1 > .env");
    const model = replayOf(at, `ls -A; ${fix}`, submit);
    const { code, err } = await runIssue(at, model, "--copy", "tracked");
    expect(code).toBe(0);
    expect(err).toContain("not in the copy: .env (may hold secrets)");
    const listed = (await eventsOf(onlyRun(at))).find((event) => event.type === "observation");
    expect(listed).toMatchObject({ output: ".git\n.gitignore\nanswer.py\n" });
  });

  it("is kept where PMCODER_STATE says, from the current folder on", async () => {
    const at = world();
    const args = ["run", issue, "--model", replayOf(at, fix, submit), "--yes"];
    const around = { env: { PMCODER_STATE: "../state" } };
    expect((await pmcoder(at, args, around)).code).toBe(0);
    expect(namesIn(at.repo)).not.toContain(".pmcoder");
    expect(namesIn(join(at.folder, "state"))).toEqual(
      expect.arrayContaining([".gitignore", "pmcoder.db", "runs"]),
    );
    expect((await pmcoder(at, ["apply", "last"], around)).code).toBe(0);
    expect(readText(at.repo, "answer.py")).toBe("answer = 42\n");
  });
});

describe("pmcoder run without git", () => {
  it("says so", async () => {
    const at = world();
    const args = ["run", issue, "--model", replayOf(at, fix), "--yes"];
    const { ended, err } = startPmcoder(at, args, { env: { PATH: at.home } });
    expect(await ended).toBe(2);
    expect(err()).toBe("pmcoder: git was not found on PATH: install it and try again.\n");
    expect(copiesOf(at)).toEqual([]);
    expect(namesIn(at.repo)).not.toContain(".pmcoder");
  });
});
