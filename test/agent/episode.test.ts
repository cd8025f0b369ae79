import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import type { Environment } from "../../src/domain/environment.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { Model } from "../../src/domain/model.ts";
import { testEpisode } from "../episode-parts.ts";
import { scriptedModel } from "../scripted-model.ts";

const files = { "a.txt": "1\n" };
const change = "echo 2 > a.txt";
const baseline = { planner: { on: false }, memory: { on: false } };

/** A model that fails as no model should, after it has said what the script holds. */
function breaking(script: readonly string[], error: unknown): Model {
  const model = scriptedModel(script);
  return {
    ...model,
    complete: async (request, options) => {
      if (model.requests.length === script.length) throw error;
      return model.complete(request, options);
    },
  };
}

describe("an episode that goes wrong", () => {
  it("keeps the patch when something of ours breaks, and hands on what broke", async () => {
    const fault = new TypeError("x is not a function");
    const { parts, events } = await testEpisode(breaking([change], fault), files, {
      config: baseline,
    });
    const end = await runEpisode(parts);
    expect(end).toMatchObject({
      status: "error",
      reason: "internal error: TypeError: x is not a function",
      uncollected: false,
    });
    expect(end.fault).toBe(fault);
    expect(Buffer.from(end.patch).toString()).toContain("-1\n+2\n");
    expect(events.at(-1)).toMatchObject({ type: "end", status: "error" });
  });

  it("says that the changes stand in the copy alone once the environment is gone", async () => {
    const { parts, events } = await testEpisode(scriptedModel([change, "true"]), files, {
      config: baseline,
    });
    const { environment } = parts;
    const lost: Environment = {
      ...environment,
      execute: async (command, options) => {
        if (command === "true") await environment.close();
        return environment.execute(command, options);
      },
    };
    const end = await runEpisode({ ...parts, environment: lost });
    expect(end).toMatchObject({ status: "environment_lost", uncollected: true });
    expect(end.patch).toHaveLength(0);
    expect(events).toContainEqual({
      type: "notice",
      text: "The environment is gone, and nothing was saved before.",
    });
  });

  it("leaves no record of the start in the environment when the journal fails", async () => {
    const { parts } = await testEpisode(scriptedModel([change]), files, { config: baseline });
    const { environment } = parts;
    const printed: string[] = [];
    const watched: Environment = {
      ...environment,
      execute: async (command, options) => {
        const result = await environment.execute(command, options);
        printed.push(Buffer.from(result.output.head).toString());
        return result;
      },
    };
    const record = () => {
      throw new PmcoderError("storage", "the disk is full");
    };
    const ended = runEpisode({ ...parts, environment: watched, record });
    await expect(ended).rejects.toThrow("the disk is full");
    const store = printed[0]?.split("\0").at(-1) ?? "";
    expect(store).toMatch(/pmcoder-base/);
    expect(existsSync(store)).toBe(false);
  });

  it("asks for no plan that the money does not pay", async () => {
    const price = { input: 10, cached: 10, cacheWritten: 10, output: 10 };
    const model = scriptedModel([change], price);
    const { parts } = await testEpisode(model, files, {
      config: { planner: { on: true }, agent: { costLimit: 0.01 } },
    });
    expect(await runEpisode(parts)).toMatchObject({ status: "cost_limit" });
    expect(model.requests).toEqual([]);
  });
});
