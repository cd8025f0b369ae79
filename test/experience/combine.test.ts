import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { LongTermMemory, Occasion, PastEpisode } from "../../src/domain/experience.ts";
import { combine } from "../../src/experience/combine.ts";
import { memoryInRam } from "./memory-in-ram.ts";

const target = { instanceId: "p__p-9", repo: "p/p", issue: "x", createdAt: null };
const occasion: Occasion = {
  ...{ target, phase: "explore", entry: 1 },
  ...{ refining: false, failure: null },
};
const episode: PastEpisode = {
  ...{ from: target, source: "run-1", resolved: true },
  ...{ root: "/testbed", steps: [], patch: "" },
};
const failing = (error: Error): LongTermMemory => ({
  recall: () => Promise.reject(error),
  learn: () => Promise.reject(error),
});
const said = (instanceId: string) => [{ text: "x", instanceId }];

describe("memories that are combined", () => {
  it("speak in order, and add up what they were denied", async () => {
    const together = combine([
      { name: "experepair", memory: memoryInRam("experepair", () => said("p__p-9")) },
      {
        name: "adarepair",
        memory: memoryInRam("adarepair", () => [...said("p__p-9"), ...said("q")]),
      },
    ]);
    const { recollections, denied, failures } = await together.recall(occasion);
    expect(recollections.map(({ id }) => id)).toEqual(["adarepair-2"]);
    expect({ denied, failures }).toEqual({ denied: { "same instance": 2 }, failures: [] });
  });

  it("are not silenced by one that fails", async () => {
    const locked = new PmcoderError("storage", "The bank is locked.");
    const together = combine([
      { name: "repomem", memory: failing(locked) },
      { name: "adarepair", memory: memoryInRam("adarepair", () => said("q")) },
    ]);
    const { recollections, failures } = await together.recall(occasion);
    expect(recollections).toHaveLength(1);
    expect(failures).toEqual(["Nothing is recalled from repomem: The bank is locked."]);
    expect(await together.learn(episode)).toEqual({
      added: 1,
      changed: 0,
      notes: ["Nothing more is learned by repomem: The bank is locked."],
    });
  });

  it("say once what both have to say", async () => {
    const memory: LongTermMemory = {
      ...failing(new Error("not asked")),
      learn: async () => ({ added: 0, changed: 0, notes: ["run-1: nothing was run."] }),
    };
    const together = combine([
      { name: "experepair", memory },
      { name: "adarepair", memory },
    ]);
    expect((await together.learn(episode)).notes).toEqual(["run-1: nothing was run."]);
  });

  it("end with an interrupt", async () => {
    const together = combine([
      { name: "repomem", memory: failing(new PmcoderError("interrupted", "Stopped.")) },
    ]);
    await expect(together.recall(occasion)).rejects.toThrow("Stopped.");
    await expect(together.learn(episode)).rejects.toThrow("Stopped.");
  });
});
