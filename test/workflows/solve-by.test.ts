import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { solveBy, type Workflow } from "../../src/workflows/solve-by.ts";
import { testEpisode } from "../episode-parts.ts";
import { scriptedModel } from "../scripted-model.ts";
import { baseOf, files, patch, recorded, said, script } from "./short-record.ts";

/** Asks twice, runs on a patch and on the base, and hands in the patch. */
const twoQuestions: Workflow = async (run) => {
  const user = { role: "user", content: run.issue } as const;
  await run.enter("first", "asks");
  const one = await run.ask({ purpose: "test", messages: [user] });
  run.proposal = patch;
  const seen = await run.execute({ patch, command: "cat answer.py; touch made", timeoutSec: 5 });
  const messages = [user, { role: "user", content: `${one} ${seen.output}` } as const];
  const two = await run.ask({ purpose: "check", messages });
  const clean = await run.execute({ patch: "", command: "cat answer.py; ls", timeoutSec: 5 });
  return `${two}${clean.output}` === "yes" + "answer = 41\nanswer.py\nnotes.txt\n" ? patch : "";
};

describe("solveBy", () => {
  it("asks, runs each command on the base with its patch, and hands in the patch", async () => {
    const model = scriptedModel(script);
    const { parts, events } = await testEpisode(model, files);
    const end = await runEpisode({ ...parts, solve: solveBy(twoQuestions) });
    expect(end.status).toBe("submitted");
    expect(Buffer.from(end.patch).toString()).toContain("+answer = 42");
    expect(events.map(({ type }) => type)).toEqual([
      "begin",
      "stage",
      "question",
      "reply",
      "command",
      "observation",
      "question",
      "reply",
      "command",
      "observation",
      "patch",
      "end",
    ]);
    expect(model.requests.map(({ purpose, ordinal }) => [purpose, ordinal])).toEqual([
      ["test", 0],
      ["check", 0],
    ]);
    const second = model.requests[1]?.messages.at(-1)?.content;
    expect(second).toBe("hello answer = 42\n");
  });

  it("goes on from any kind of event as if it had never stopped, and pays for nothing twice", async () => {
    const whole = await testEpisode(scriptedModel(script), files);
    await runEpisode({ ...whole.parts, solve: solveBy(twoQuestions) });
    const types = whole.events.map(({ type }) => type);
    for (const last of ["begin", "stage", "reply", "command", "observation"] as const) {
      const cut = types.indexOf(last) + 1;
      const past = recorded(whole.events.slice(0, cut));
      const paid = past.filter(({ type }) => type === "reply").length;
      const model = scriptedModel(script.slice(paid));
      const { parts, events } = await testEpisode(model, files);
      const resumed = { base: baseOf(whole.events), rebuilt: true, saved: null, limits: {} };
      const end = await runEpisode({ ...parts, past, resumed, solve: solveBy(twoQuestions) });
      expect([cut, end.status, Buffer.from(end.patch).toString()]).toEqual([
        cut,
        "submitted",
        expect.stringContaining("+answer = 42"),
      ]);
      expect(model.requests).toHaveLength(script.length - paid);
      const all = [...past, ...events.filter(({ type }) => type !== "resume")];
      expect(all.map(({ type }) => type)).toEqual(types);
    }
  });

  it("starts from the base again where a killed process left its candidate", async () => {
    const leaving = new AbortController();
    const model = scriptedModel(script);
    const { signal } = leaving;
    const { parts, events, folder } = await testEpisode(model, files, { signal });
    const stopping: Workflow = async (run) => {
      await run.enter("first", "asks");
      await run.ask({ purpose: "test", messages: [{ role: "user", content: run.issue }] });
      leaving.abort();
      return run.ask({ purpose: "test", messages: [{ role: "user", content: run.issue }] });
    };
    const first = await runEpisode({ ...parts, solve: solveBy(stopping) });
    expect(first.status).toBe("interrupted");
    writeFileSync(join(folder, "answer.py"), "answer = 13\n");
    writeFileSync(join(folder, "left.txt"), "");
    rmSync(join(folder, "notes.txt"));
    const end = await runEpisode({
      ...parts,
      signal: new AbortController().signal,
      past: recorded(events),
      resumed: { base: baseOf(events), rebuilt: false, saved: null, limits: {} },
      solve: solveBy(twoQuestions),
    });
    expect(end.status).toBe("submitted");
    expect(
      Buffer.from(end.patch)
        .toString()
        .match(/^diff .*/gm),
    ).toEqual(["diff --git a/answer.py b/answer.py"]);
  });

  it("ends at a limit with the best patch so far, and goes on once it is raised", async () => {
    const config = { agent: { stepLimit: 1 } };
    const { parts, events } = await testEpisode(scriptedModel(script), files, { config });
    const end = await runEpisode({ ...parts, solve: solveBy(twoQuestions) });
    expect([end.status, end.reason]).toEqual(["step_limit", "1 of 1 steps used"]);
    expect(Buffer.from(end.patch).toString()).toContain("+answer = 42");
    const later = await testEpisode(scriptedModel([said("yes")]), files);
    const resumed = { base: baseOf(events), rebuilt: true, saved: null, limits: { stepLimit: 9 } };
    const past = recorded(events);
    const more = await runEpisode({
      ...later.parts,
      past,
      resumed,
      solve: solveBy(twoQuestions),
    });
    expect(more.status).toBe("submitted");
  });

  it("refuses a record that another workflow made", async () => {
    const whole = await testEpisode(scriptedModel(script), files);
    await runEpisode({ ...whole.parts, solve: solveBy(twoQuestions) });
    const { parts } = await testEpisode(scriptedModel([]), files);
    const end = await runEpisode({
      ...parts,
      past: recorded(whole.events.slice(0, -2)),
      resumed: { base: baseOf(whole.events), rebuilt: true, saved: null, limits: {} },
      solve: solveBy(async (run) => {
        await run.enter("first", "");
        await run.execute({ patch: "", command: "true", timeoutSec: 5 });
        return "";
      }),
    });
    expect(end.status).toBe("error");
    expect(end.reason).toMatch(/its record has reply where .* takes observation/);
  });
});
