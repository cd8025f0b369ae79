import { describe, expect, it } from "vitest";
import { type EpisodeParts, runEpisode } from "../../src/agent/episode.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import { solveBy, type Workflow } from "../../src/workflows/solve-by.ts";
import { testEpisode } from "../episode-parts.ts";
import { scriptedModel } from "../scripted-model.ts";
import { baseOf, files, patch, recorded, said, script } from "./short-record.ts";

describe("a workflow's run", () => {
  const asking: Workflow = async (run) => {
    const first = await run.recall({ phase: "hypothesize", refining: false, failure: null });
    const messages = [{ role: "user", content: `${run.issue} ${first}` } as const];
    await run.ask({ purpose: "test", messages });
    const again = { phase: "hypothesize", refining: true, failure: "boom", entry: 2 } as const;
    await run.recall(again);
    await run.ask({ purpose: "test", messages });
    return patch;
  };

  /** A memory that says which time it is asked, and keeps what it is asked with. */
  function memory() {
    const asked: unknown[] = [];
    const target = { instanceId: null, repo: "a/b", issue: "x", createdAt: null };
    const experience: NonNullable<EpisodeParts["experience"]> = {
      target,
      open: () => async (occasion, earlier) => {
        asked.push([occasion.entry, occasion.failure, earlier.length]);
        const { phase, entry } = occasion;
        const block = `[LTM] ${asked.length} [/LTM]`;
        const brief = { phase, entry, block, recalled: [], waiting: [], denied: {} };
        return { brief, failures: [] };
      },
    };
    return { experience, asked };
  }

  it("recalls at each point once, whatever number of processes it takes", async () => {
    const { experience, asked } = memory();
    const whole = await testEpisode(scriptedModel(script), files);
    await runEpisode({ ...whole.parts, experience, solve: solveBy(asking) });
    expect(asked).toEqual([
      [1, null, 0],
      [2, "boom", 1],
    ]);
    const reply = whole.events.findIndex(({ type }) => type === "reply");
    const past = recorded(whole.events.slice(0, reply + 1));
    const later = memory();
    const model = scriptedModel(script.slice(1));
    const { parts } = await testEpisode(model, files);
    const resumed = { base: baseOf(whole.events), rebuilt: true, saved: null, limits: {} };
    const { experience: second } = later;
    const solve = solveBy(asking);
    const end = await runEpisode({ ...parts, experience: second, past, resumed, solve });
    expect([end.status, later.asked]).toEqual(["submitted", [[2, "boom", 1]]]);
    expect(model.requests[0]?.messages[0]?.content).toContain("[LTM] 1 [/LTM]");
  });

  it("sends no temperature any more once the model has refused one", async () => {
    const model = scriptedModel([said("a"), said("b")]);
    const strict: typeof model = {
      ...model,
      complete: async (request, options) => {
        if (request.temperature === undefined) return model.complete(request, options);
        throw new PmcoderError("model_unavailable", "400: `temperature` is not supported");
      },
    };
    const { parts, events } = await testEpisode(strict, files);
    const twice: Workflow = async (run) => {
      const messages = [{ role: "user", content: run.issue } as const];
      await run.ask({ purpose: "patch", messages, temperature: 0 });
      await run.ask({ purpose: "patch", messages, temperature: 0.8 });
      return patch;
    };
    const end = await runEpisode({ ...parts, solve: solveBy(twice) });
    expect([end.status, model.requests.length]).toEqual(["submitted", 2]);
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("lets the user refuse a command", async () => {
    const seen: string[] = [];
    const refused: Workflow = async (run) => {
      const { exitCode } = await run.execute({ patch: "", command: "touch made", timeoutSec: 5 });
      const { output } = await run.execute({ patch: "", command: "ls", timeoutSec: 5 });
      seen.push(String(exitCode), output);
      return "";
    };
    const { parts } = await testEpisode(scriptedModel([]), files, {
      decide: async ({ command }) =>
        command === "ls" ? { type: "run", command } : { type: "refuse" },
    });
    await runEpisode({ ...parts, solve: solveBy(refused) });
    expect(seen).toEqual(["126", "answer.py\nnotes.txt\n"]);
  });
});
