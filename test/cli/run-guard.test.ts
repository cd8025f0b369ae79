import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  replayOf,
  runIssue,
  sh,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

/** A repository one commit behind its remote, in which the fix is. */
function behindRemote(): World {
  const at = world();
  sh(
    at.repo,
    `export GIT_COMMITTER_DATE="2030-01-01T00:00:00Z" GIT_AUTHOR_DATE="2030-01-01T00:00:00Z"
    sed -i s/41/42/ answer.py && git commit -qam fix && git update-ref refs/remotes/origin/main HEAD
    git reset -q --hard HEAD~1 && git reflog expire --expire=now --all`,
  );
  return at;
}

const lookUp = "git show origin/main -- answer.py";
const peek = {
  step: 1,
  command: lookUp,
  reason: "names what was fetched from a remote: origin/main",
};

describe("an instance whose repository gives the future away", () => {
  it("is told so at the start, and every look at it stands in the summary", async () => {
    const at = behindRemote();
    const row = {
      instance_id: "acme__answer-1",
      repo: "acme/answer",
      base_commit: sh(at.repo, "git rev-parse HEAD").trim(),
      problem_statement: issue,
    };
    const dataset = put(at, "rows.jsonl", `${JSON.stringify(row)}\n`);
    const { code, err } = await pmcoder(at, [
      ...["run", "--instance", row.instance_id, "--dataset", dataset, "--repo", at.repo],
      ...["--model", replayOf(at, lookUp, fix, submit), "--yes", "--environment", "local"],
    ]);
    expect(code).toBe(0);
    expect(err).toContain(
      "The repository can reach 1 commit newer than its base (by remotes: origin/main)",
    );
    expect(summaryIn(onlyRun(at)).guard).toEqual([peek]);
  });
});

describe("a repository of one's own", () => {
  it("may hold newer commits; what looked at them is listed all the same", async () => {
    const at = behindRemote();
    const model = replayOf(at, lookUp, fix, submit);
    const { code } = await runIssue(at, model, "--environment", "local");
    expect(code).toBe(0);
    const notices = (await eventsOf(onlyRun(at))).flatMap((event) =>
      event.type === "notice" ? event.text : [],
    );
    expect(notices.filter((text) => text.includes("newer than its base"))).toEqual([]);
    expect(summaryIn(onlyRun(at)).guard).toEqual([peek]);
    expect(
      namesIn(join(at.repo, ".pmcoder", "locks")).filter((name) => !name.endsWith(".lock")),
    ).toEqual([]);
  });
});
