import { describe, it } from "vitest";
import { expectRefused, type Refusal, runWith } from "./refusal.ts";
import { issue, lastingWorld, put } from "./run-world.ts";

const row = {
  instance_id: "acme__answer-1",
  repo: "acme/answer",
  base_commit: "0".repeat(40),
  problem_statement: issue,
};

const refusals: readonly Refusal[] = [
  {
    of: "no repository",
    code: 2,
    says: "is not in a git repository. Name another folder with --repo, or make this one a repository: git init",
    args: (at) => runWith(at, issue, "--repo", at.folder),
  },
  {
    of: "no such folder",
    code: 2,
    says: "gone does not exist or cannot be reached: name the folder of a git repository.",
    args: (at) => runWith(at, issue, "--repo", "gone"),
  },
  {
    of: "an empty issue",
    code: 2,
    says: "The issue is empty. Describe what is wrong.",
    args: (at) => runWith(at, "  \n"),
  },
  {
    of: "nothing on standard input",
    code: 2,
    says: "--issue - is empty. Describe what is wrong.",
    args: (at) => runWith(at, "--issue", "-"),
  },
  {
    of: "an issue that is not there",
    code: 2,
    says: "--issue ISSUE.md: there is no such file.",
    args: (at) => runWith(at, "--issue", "ISSUE.md"),
  },
  {
    of: "a folder for an issue",
    code: 2,
    says: "--issue . cannot be read: EISDIR",
    args: (at) => runWith(at, "--issue", "."),
  },
  {
    of: "a binary issue",
    code: 2,
    says: "issue.bin is not text in UTF-8.",
    args: (at) => runWith(at, "--issue", put(at, "issue.bin", new Uint8Array([0xff, 0, 1]))),
  },
  {
    of: "no issue",
    code: 2,
    says: "No issue is given. Give a text argument, --issue FILE|-|GITHUB-URL, --instance ID --dataset FILE, or --task FILE.",
    args: (at) => runWith(at),
  },
  {
    of: "two issues",
    code: 2,
    says: "Give one issue, not a text argument and --task:",
    args: (at) => runWith(at, issue, "--task", "t.md"),
  },
  {
    of: "an unknown instance",
    code: 2,
    says: /acme__answer-2.*\n?.*acme__answer-1/,
    args: (at) =>
      runWith(
        at,
        "--instance",
        "acme__answer-2",
        "--repo",
        ".",
        "--dataset",
        put(at, "rows.jsonl", JSON.stringify(row)),
      ),
  },
  {
    of: "a malformed row",
    code: 2,
    says: "rows.jsonl:2 (acme__answer-1): base_commit must be text",
    args: (at) => {
      const rows = [
        { ...row, instance_id: "acme__other-1" },
        { ...row, base_commit: 7 },
      ];
      const file = put(at, "rows.jsonl", rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
      return runWith(at, "--instance", "acme__answer-1", "--repo", ".", "--dataset", file);
    },
  },
  {
    of: "an instance in the bare system without its repository",
    code: 2,
    says: "--instance in the environment local wants --repo DIR",
    args: (at) =>
      runWith(
        at,
        "--instance",
        row.instance_id,
        "--environment",
        "local",
        "--dataset",
        put(at, "rows.jsonl", JSON.stringify(row)),
      ),
  },
  {
    of: "an unknown flag",
    code: 2,
    says: "error: unknown option '--modle'",
    args: () => ["run", issue, "--modle", "anthropic:a"],
  },
  {
    of: "a limit that is no number",
    code: 2,
    says: "'--step-limit <n>' argument 'many' is invalid. Expected a whole number.",
    args: () => ["run", issue, "--step-limit", "many"],
  },
  {
    of: "an unknown configuration key, naming the nearest",
    code: 2,
    says: "-c: unknown key agent.stepLimt; did you mean agent.stepLimit?",
    args: (at) => runWith(at, issue, "-c", "agent.stepLimt=3"),
  },
  {
    of: "a base URL that is none",
    code: 2,
    says: "model.baseUrl must be",
    args: (at) => runWith(at, issue, "--base-url", "localhost"),
  },
  {
    of: "a prompt file that is not there",
    code: 2,
    says: "The prompt file task.md cannot be read: there is no such file.",
    args: (at) => runWith(at, issue, "-c", "agent.taskPrompt=task.md"),
  },
  {
    of: "a task prompt without a place for the issue",
    code: 2,
    says: "holds no {{task}}",
    args: (at) => runWith(at, issue, "-c", `agent.taskPrompt=${put(at, "task.md", "Fix it.\n")}`),
  },
];

describe("pmcoder run refuses", () => {
  const at = lastingWorld();

  it.each(refusals)("$of, with status $code", (refusal) => expectRefused(at, refusal));
});
