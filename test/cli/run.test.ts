import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  onlyRun,
  readText,
  replayOf,
  runIssue,
  sh,
  submit,
  summaryIn,
  world,
} from "./run-world.ts";

/** What a run must not touch: files, index, HEAD, refs, stash; without pmcoder's own folder. */
const treeState = (repo: string) =>
  sh(
    repo,
    `find . -path ./.pmcoder -prune -o -path ./.git/index -prune -o -type f -printf '%p %M %T@ ' -exec sha1sum {} ';'
    sha1sum .git/index; git status --porcelain; git for-each-ref; git stash list`,
  );

describe("a run that submits", () => {
  it("leaves a patch and its record, and the user's tree as it was", async () => {
    const at = world();
    sh(at.repo, "echo staged > staged.txt; git add staged.txt; echo half-done > notes.md");
    const before = treeState(at.repo);
    const model = replayOf(at, "cat answer.py notes.md staged.txt", fix, submit);
    const { code, out, err } = await runIssue(at, model);
    expect(err).toContain("submitted at step 3");
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(treeState(at.repo)).toBe(before);

    const folder = onlyRun(at);
    expect(readdirSync(folder).sort()).toEqual([
      "outputs",
      "patch.diff",
      "summary.json",
      "trajectory.json",
    ]);
    const patch = readText(folder, "patch.diff");
    expect(patch).toContain(
      "--- a/answer.py\n+++ b/answer.py\n@@ -1 +1 @@\n-answer = 41\n+answer = 42\n",
    );
    expect(patch).not.toMatch(/notes|staged/);
    expect(copiesOf(at)).toEqual([]);
    expect(readText(at.repo, ".pmcoder", ".gitignore")).toBe("*\n");
    expect(sh(at.repo, "git status --porcelain --ignored .pmcoder")).toBe("!! .pmcoder/\n");
  });

  it("shows the copy with uncommitted work to the model, and to later readers", async () => {
    const at = world();
    sh(at.repo, "echo half-done > notes.md");
    await runIssue(at, replayOf(at, "cat notes.md; exit 3", fix, submit));
    const folder = onlyRun(at);
    const seen = eventsOf(folder).find(({ type }) => type === "observation");
    expect(seen).toMatchObject({ output: "half-done\n", exitCode: 3 });
    const outputs = readdirSync(join(folder, "outputs")).map((name) =>
      readText(folder, "outputs", name),
    );
    expect(outputs).toContain("half-done\n");
    const { info, messages } = JSON.parse(readText(folder, "trajectory.json"));
    expect(info.exit_status).toBe("Submitted");
    expect(info.submission).toBe(readText(folder, "patch.diff"));
    expect(messages[3].content).toContain("half-done");
  });

  it("sums itself up with the documented keys", async () => {
    const at = world();
    await runIssue(at, replayOf(at, fix, submit));
    const folder = onlyRun(at);
    const summary = summaryIn(folder);
    expect(Object.keys(summary)).toEqual(
      `run instance_id arm seed model environment base exit_status exit_code steps model_calls
      tokens cost seconds phases backtracks verdict injected patch db`.split(/\s+/),
    );
    expect(summary).toMatchObject({
      run: folder.split("/").at(-1),
      instance_id: null,
      arm: RunConfig.parse({}).arm,
      base: { commit: sh(at.repo, "git rev-parse HEAD").trim() },
      exit_status: "submitted",
      exit_code: 0,
      steps: 2,
      model_calls: { act: 2, other: 0 },
      cost: 0,
      patch: {
        path: join(folder, "patch.diff"),
        files: ["answer.py"],
        bytes: statSync(join(folder, "patch.diff")).size,
        applies: true,
        source: "extraction",
      },
      db: join(at.repo, ".pmcoder", "pmcoder.db"),
    });
    expect(Object.keys(summary.model_calls)).toEqual(["act", "other"]);
    expect(Object.keys(summary.tokens)).toEqual(["input", "cached", "output"]);
    expect(Object.keys(summary.injected)).toEqual(["blocks", "tokens"]);
    expect(Object.keys(summary.patch ?? {})).toEqual([
      ...["path", "files", "bytes", "applies", "source"],
    ]);
  });

  it("keeps the model's own text beside the patch where it submits one", async () => {
    const at = world();
    await runIssue(at, replayOf(at, fix, `${submit} && git diff`));
    const folder = onlyRun(at);
    expect(readText(folder, "submission.diff")).toContain("+answer = 42\n");
    await runIssue(
      at,
      replayOf(at, fix, `${submit} && echo nonsense`),
      "-c",
      "agent.patch=submission",
      "--output",
      "../odd",
    );
    expect(readText(at.folder, "odd", "patch.diff")).toBe("nonsense\n");
    expect(summaryIn(join(at.folder, "odd")).patch).toMatchObject({
      applies: false,
      source: "submission",
    });
  });
});
