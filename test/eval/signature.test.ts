import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import type { EpisodeEvent, ExitStatus } from "../../src/domain/episode.ts";
import { type EndedEpisode, endedEpisode, signatureOf } from "../../src/eval/signature.ts";
import { testEpisode } from "../episode-parts.ts";
import { scriptedModel } from "../scripted-model.ts";

const fix = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";

/** Commands, each with its exit status where it is not 0. */
type Told = string | readonly [command: string, exitCode: number | null];

function episode(told: readonly Told[], fields: Partial<EndedEpisode> = {}): EndedEpisode {
  const steps = told.map((one, at) => {
    const [command, exitCode] = typeof one === "string" ? ([one, 0] as const) : one;
    return { index: at + 1, thought: "", command, output: "", exitCode, timedOut: false };
  });
  const status: ExitStatus = "submitted";
  return { turns: told.length, steps, status, patch: fix, root: "/testbed", ...fields };
}

const edit = "sed -i 's/1/2/' src/a.py";
const revert = "git checkout -- src/a.py";

describe("failed-action recurrence", () => {
  it.each<{ name: string; told: readonly Told[]; share: number | null }>([
    { name: "nothing ran", told: [], share: null },
    { name: "all succeed", told: ["pytest", "pytest"], share: 0 },
    {
      name: "again after a failure",
      told: [["pytest", 1], "ls", ["pytest", 1], "pytest"],
      share: 2 / 4,
    },
    { name: "again after success alone", told: ["pytest", ["pytest", 1]], share: 0 },
    {
      name: "another spelling of the same",
      told: [["cd /testbed && pytest x.py 2>&1 | tail -5", 1], "pytest x.py"],
      share: 1 / 2,
    },
    {
      name: "another range is another action",
      told: [["sed -n 1,5p x.py", 2], "sed -n 6,9p x.py"],
      share: 0,
    },
    {
      name: "a time limit is a failure",
      told: [
        ["python run.py", 124],
        ["python run.py", 124],
      ],
      share: 1 / 2,
    },
    {
      name: "an unknown status is none",
      told: [
        ["pytest", null],
        ["pytest", null],
      ],
      share: 0,
    },
    {
      name: "commands without an action count below alone",
      told: [
        ["cd x", 1],
        ["cd x", 1],
        ["make", 2],
        ["make", 2],
      ],
      share: 1 / 4,
    },
  ])("$name: $share", ({ told, share }) => {
    expect(signatureOf(episode(told))?.failedRecurrence).toBe(share);
  });
});

describe("revert-then-refix recoveries", () => {
  it.each<{ name: string; told: readonly Told[]; times: number }>([
    { name: "edit, revert, edit", told: [edit, revert, edit], times: 1 },
    { name: "twice", told: [edit, revert, edit, revert, edit], times: 2 },
    { name: "a revert of nothing", told: [revert, edit], times: 0 },
    { name: "no edit after it", told: [edit, "cat src/a.py", revert], times: 0 },
    { name: "another file after it", told: [edit, revert, "sed -i 's/1/2/' src/b.py"], times: 0 },
    {
      name: "each file",
      told: [edit, "sed -i 's/1/2/' src/b.py", "git checkout .", edit, "sed -i 's/1/3/' src/b.py"],
      times: 2,
    },
    { name: "reverted as a folder", told: [edit, "git checkout -- src", edit], times: 1 },
    { name: "all at once", told: [edit, "git reset --hard", edit], times: 1 },
    { name: "in one command", told: [edit, `${revert} && ${edit}`], times: 1 },
    { name: "a second edit is no second recovery", told: [edit, revert, edit, edit], times: 1 },
    {
      name: "put aside and taken back",
      told: [edit, "git stash", "pytest", "git stash pop", edit],
      times: 0,
    },
    { name: "put aside and begun anew", told: [edit, "git stash", edit], times: 1 },
  ])("$name: $times", ({ told, times }) => {
    expect(signatureOf(episode(told))?.recoveries).toBe(times);
  });
});

describe("how an episode ended", () => {
  it.each<{ status: ExitStatus; patch: string; gaveUp: boolean; contextExhausted: boolean }>([
    { status: "submitted", patch: fix, gaveUp: false, contextExhausted: false },
    { status: "submitted", patch: " \n", gaveUp: true, contextExhausted: false },
    { status: "no_patch", patch: "", gaveUp: true, contextExhausted: false },
    { status: "step_limit", patch: "", gaveUp: true, contextExhausted: false },
    { status: "step_limit", patch: fix, gaveUp: false, contextExhausted: false },
    { status: "context_exhausted", patch: "", gaveUp: false, contextExhausted: true },
  ])("$status with a patch of $patch.length characters", ({ status, patch, ...ended }) => {
    expect(signatureOf(episode(["ls"], { status, patch }))).toMatchObject(ended);
  });

  it.each<ExitStatus>([
    "environment_lost",
    "image_missing",
    "model_unavailable",
    "interrupted",
    "error",
  ])("%s says nothing of the agent", (status) => {
    expect(signatureOf(episode(["ls"], { status }))).toBeNull();
  });
});

describe("endedEpisode", () => {
  const commands = [
    "python3 missing.py",
    "python3 missing.py",
    "echo 'x = 2' > src/a.py",
    "git checkout -- src/a.py",
    "echo 'x = 3' > src/a.py",
    "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; git diff",
  ];

  async function run() {
    const { parts, events } = await testEpisode(scriptedModel(commands), { "src/a.py": "x = 1\n" });
    const { patch } = await runEpisode(parts);
    return { events, patch: Buffer.from(patch).toString("latin1") };
  }

  it("reads a run from its events, in whichever arm", async () => {
    const { events, patch } = await run();
    const ended = endedEpisode(events, patch);
    expect(ended?.steps.map(({ command }) => command)).toEqual(commands);
    expect(ended && signatureOf(ended)).toEqual({
      turns: 6,
      failedRecurrence: 1 / 6,
      gaveUp: false,
      contextExhausted: false,
      recoveries: 1,
    });
  });

  it("is null for a run that has not ended, or whose beginning is missing", async () => {
    const { events, patch } = await run();
    const resumed: EpisodeEvent = { type: "notice", text: "goes on" };
    expect(endedEpisode(events.slice(0, -1), patch)).toBeNull();
    expect(endedEpisode([...events, resumed], patch)).toBeNull();
    expect(endedEpisode(events.slice(1), patch)).toBeNull();
    expect(endedEpisode([], "")).toBeNull();
  });

  it("takes no exit status from a command that was cut off", async () => {
    const { events, patch } = await run();
    const interrupted = events.map((event) =>
      event.type === "observation" ? { ...event, interrupted: true } : event,
    );
    expect(endedEpisode(interrupted, patch)?.steps.map(({ exitCode }) => exitCode)).toEqual(
      commands.map(() => null),
    );
  });
});
