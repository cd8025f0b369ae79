import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  lastingWorld,
  namesIn,
  onlyRun,
  readText,
  replayOf,
  runFolders,
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
  const at = lastingWorld();
  let before = "";
  let ran: Awaited<ReturnType<typeof runIssue>>;

  beforeAll(async () => {
    sh(at.repo, "echo staged > staged.txt; git add staged.txt; echo half-done > notes.md");
    before = treeState(at.repo);
    const model = replayOf(at, "cat notes.md staged.txt; exit 3", fix, submit);
    ran = await runIssue(at, model);
  });

  it("leaves the user's tree as it was, and no working copy", () => {
    expect(ran.err).toContain("submitted at step 3");
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 0, out: "" });
    expect(treeState(at.repo)).toBe(before);
    expect(copiesOf(at)).toEqual([]);
    expect(readText(at.repo, ".pmcoder", ".gitignore")).toBe("*\n");
    expect(sh(at.repo, "git status --porcelain --ignored .pmcoder")).toBe("!! .pmcoder/\n");
  });

  it("leaves a patch of its own changes alone, beside the record", () => {
    const folder = onlyRun(at);
    const names = ["outputs", "patch.diff", "summary.json", "trajectory.json"];
    expect(namesIn(folder)).toEqual(names);
    const patch = readText(folder, "patch.diff");
    expect(patch).toContain(
      "a/answer.py\n+++ b/answer.py\n@@ -1 +1 @@\n-answer = 41\n+answer = 42\n",
    );
    expect(patch).not.toMatch(/notes|staged/);
  });

  it("shows uncommitted work to the model, and what it printed to later readers", async () => {
    const folder = onlyRun(at);
    const seen = (await eventsOf(folder)).find(({ type }) => type === "observation");
    expect(seen).toMatchObject({ output: "half-done\nstaged\n", exitCode: 3 });
    expect(namesIn(join(folder, "outputs"))).toEqual(["0001.log", "0002.log", "0003.log"]);
    expect(readText(folder, "outputs", "0001.log")).toBe("half-done\nstaged\n");
    const { info, messages } = JSON.parse(readText(folder, "trajectory.json"));
    expect(info.exit_status).toBe("Submitted");
    expect(info.submission).toBe(readText(folder, "patch.diff"));
    expect(messages[3].content).toContain("half-done");
  });

  it("sums itself up with the documented keys", () => {
    const folder = onlyRun(at);
    const summary = summaryIn(folder);
    expect(Object.keys(summary)).toEqual(
      `run instance_id arm seed model environment base exit_status exit_code steps model_calls
      tokens cost seconds phases backtracks verdict injected patch guard db`.split(/\s+/),
    );
    expect(summary).toMatchObject({
      run: basename(folder),
      instance_id: null,
      arm: RunConfig.parse({}).arm,
      base: { commit: sh(at.repo, "git rev-parse HEAD").trim() },
      exit_status: "submitted",
      exit_code: 0,
      steps: 3,
      model_calls: { act: 3, other: 0 },
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
    const { model_calls, tokens, injected, patch } = summary;
    expect([model_calls, tokens, injected, patch ?? {}].map(Object.keys)).toEqual([
      ["act", "other"],
      ["input", "cached", "output"],
      ["blocks", "tokens"],
      ["path", "files", "bytes", "applies", "source"],
    ]);
  });
});

it("two runs at once in one repository keep apart", async () => {
  const at = world();
  const model = replayOf(at, fix, submit);
  const both = await Promise.all([runIssue(at, model), runIssue(at, model)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const folders = runFolders(at);
  const histories = await Promise.all(folders.map(eventsOf));
  expect(histories.map((events) => events.at(-1)?.type)).toEqual(["end", "end"]);
  expect(copiesOf(at)).toEqual([]);
});

describe("a run whose model submits a text", () => {
  it("keeps it beside the patch, or takes it for the patch, as the arm asks", async () => {
    const at = world();
    await runIssue(at, replayOf(at, fix, `${submit} && git diff`));
    expect(readText(onlyRun(at), "submission.diff")).toContain("+answer = 42\n");
    const asked = ["-c", "agent.patch=submission", "--output", "../odd"];
    await runIssue(at, replayOf(at, fix, `${submit} && echo nonsense`), ...asked);
    const odd = join(at.folder, "odd");
    expect(readText(odd, "patch.diff")).toBe("nonsense\n");
    expect(summaryIn(odd).patch).toMatchObject({ applies: false, source: "submission" });
  });
});
