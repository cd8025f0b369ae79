import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  cassetteText,
  copiesOf,
  eventsOf,
  onlyRun,
  pmcoder,
  put,
  readText,
  sh,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const text = "Write the sum of all numbers in data.txt to sum.txt.\n";
const sum = "awk '{ s += $1 } END { print s }' data.txt > sum.txt";

/** A folder that is no repository, with the files of a task. */
function taskFolder(at: World): string {
  const folder = join(at.folder, "app");
  mkdirSync(folder);
  put(at, "app/data.txt", "3\n4\n");
  return folder;
}

/** `pmcoder run --task` in that folder itself, its records elsewhere. */
function runTask(at: World, commands: readonly string[], ...more: readonly string[]) {
  const model = `replay:${put(at, "cassette.jsonl", cassetteText(commands, text))}`;
  const given = ["--task", put(at, "task.md", text), "--model", model, "--yes"];
  const place = ["--environment", "local", "--copy", "none", "--state", join(at.repo, ".pmcoder")];
  return pmcoder(at, ["run", ...given, ...place, ...more], { cwd: join(at.folder, "app") });
}

describe("pmcoder run --task --copy none", () => {
  it("works in a folder that is no repository, and leaves there what the commands left", async () => {
    const at = world();
    const folder = taskFolder(at);
    const { code, err } = await runTask(at, ["cat data.txt", sum, "cat sum.txt", submit]);
    expect(code, err).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["data.txt", "sum.txt"]);
    expect(readText(folder, "sum.txt")).toBe("7\n");
    expect(copiesOf(at)).toEqual([]);
    const run = onlyRun(at);
    expect(summaryIn(run)).toMatchObject({ exit_status: "submitted", exit_code: 0, verdict: null });
    expect(readText(run, "patch.diff")).toBe("");
    const events = await eventsOf(run);
    const prompt = events.find((event) => event.type === "prompt");
    expect(prompt?.task).toContain(`<task>\n${text}</task>`);
    expect(prompt?.task).not.toMatch(/patch|repository/);
    // data.txt counts as a file of the place, because it was read.
    const { phases } = summaryIn(run);
    expect(phases.map(({ phase }) => phase)).toContain("explore");
    expect(events.filter(({ type }) => type === "advice")).toHaveLength(4);
  });

  it("works in a repository itself too, and tells what was changed", async () => {
    const at = world();
    const folder = taskFolder(at);
    sh(folder, "git init -q && git add -A && git commit -qm start");
    const { code, err } = await runTask(at, ["echo 5 >> data.txt", submit]);
    expect(code, err).toBe(0);
    expect(readText(folder, "data.txt")).toBe("3\n4\n5\n");
    expect(readText(onlyRun(at), "patch.diff")).toContain("+5");
    expect(sh(folder, "git stash list && git status --short")).toBe(" M data.txt\n");
  });

  it.each([
    { given: "an issue", args: ["run", "An issue.", "--environment", "local"] },
    { given: "a sandbox", args: ["run", "--task", "../task.md", "--environment", "bubblewrap"] },
  ])("is refused for $given", async ({ args }) => {
    const at = world();
    put(at, "task.md", text);
    const model = `replay:${put(at, "cassette.jsonl", cassetteText([submit], text))}`;
    const { code, err } = await pmcoder(at, [...args, "--model", model, "--yes", "--copy", "none"]);
    expect(code).toBe(2);
    expect(err).toContain("Give --task FILE and --environment local.");
  });

  it("is not resumed: the work stands where it was done", async () => {
    const at = world();
    const folder = taskFolder(at);
    const limited = await runTask(
      at,
      ["cat data.txt", "cat data.txt", submit],
      "--step-limit",
      "1",
    );
    expect(limited.code).toBe(3);
    const { code, err } = await pmcoder(at, ["resume", onlyRun(at), "--step-limit", "5", "--yes"]);
    expect(code).toBe(2);
    expect(err).toContain(`worked in ${folder} itself`);
    expect(existsSync(join(folder, "data.txt"))).toBe(true);
  });
});
