import { describe, expect, it } from "vitest";
import type { Embedder } from "../../../src/domain/embedder.ts";
import { PmcoderError } from "../../../src/domain/errors.ts";
import type { Brain } from "../../workflows/swe-exp/brain.ts";
import { day, embedder, episode, patch, scholar, target, world } from "./world.ts";

const explore = { target, phase: "explore", entry: 1, refining: false, failure: null } as const;
const implement = { ...explore, phase: "implement", entry: 2 } as const;

describe("recall", () => {
  const near = embedder({
    A: [0.91, Math.sqrt(1 - 0.91 ** 2)],
    B: [0.9, Math.sqrt(1 - 0.9 ** 2)],
    C: [0.88, Math.sqrt(1 - 0.88 ** 2)],
    D: [0.87, Math.sqrt(1 - 0.87 ** 2)],
    counting: [1, 0],
  });
  /** A is of the same repository, B is later, C and D are neither. */
  async function filled(rerank: Brain["rerank"], config: object = {}) {
    const { open, ...rest } = world({ ...scholar, rerank }, config, near);
    const memory = open();
    await memory.learn(episode("A", { from: { repo: "django/django" } }));
    await memory.learn(episode("B", { from: { createdAt: 200 * day } }));
    for (const name of ["C", "D"]) await memory.learn(episode(name));
    return { ...rest, open, memory };
  }
  const idOf = (prompt: string, name: string) =>
    new RegExp(`id: (\\S+)\\n.*\\n.*about ${name}`).exec(prompt)?.[1] ?? "none";

  it.each<[string, Brain["rerank"], object, string, object]>([
    [
      "what the model picks",
      (p) => ({ [idOf(p, "D")]: {} }),
      {},
      "D",
      { wrong_repository: 1, not_earlier: 1 },
    ],
    [
      "the nearest where it picks another",
      () => ({ Z: {} }),
      {},
      "C",
      { wrong_repository: 1, not_earlier: 1 },
    ],
    [
      "the nearest without a model's pick",
      undefined,
      { rerank: false },
      "C",
      { wrong_repository: 1, not_earlier: 1 },
    ],
    [
      "other repositories', as the code does",
      undefined,
      { rerank: false, leakage: "codeCompat" },
      "B",
      { wrong_repository: 1 },
    ],
    [
      "all that is not later of its repository",
      undefined,
      { rerank: false, leakage: "temporalSameRepo" },
      "A",
      {},
    ],
  ])("gives %s", async (_, rerank, config, instanceId, denied) => {
    const { memory } = await filled(rerank, config);
    const recalled = await memory.recall(explore);
    expect(recalled.recollections.map((one) => one.instanceId)).toEqual([instanceId]);
    expect(recalled.denied).toEqual(denied);
  });

  it("gives the perspective for exploring, the modification for repairing, and asks once", async () => {
    const { memory, model } = await filled(() => ({}));
    const before = model.requests.length;
    const [seen] = (await memory.recall(explore)).recollections;
    const [mended] = (await memory.recall(implement)).recollections;
    expect(seen?.text).toBe("A number that is kept beside what it counts grows old.");
    expect(mended?.text).toBe("Count when asked.\nKeep no copy.");
    expect(seen?.score).toBeCloseTo(88, 4);
    expect((await memory.recall({ ...explore, phase: "verify" })).recollections).toEqual([]);
    expect(model.requests.slice(before).map(({ purpose }) => purpose)).toEqual(["type", "rerank"]);
  });

  it("keeps to its switches", async () => {
    const { open } = await filled(() => ({}));
    const texts = async (config: object, occasion: typeof explore | typeof implement = explore) =>
      (await open(config).recall(occasion)).recollections.map(({ text }) => text);
    expect(await texts({ comprehension: false })).toEqual([]);
    expect(await texts({ modification: false }, implement)).toEqual([]);
    expect(await texts({ k: 0 })).toEqual([]);
    expect(await texts({ k: 2 })).toHaveLength(2);
    expect(await texts({ bankSize: 0 })).toEqual([]);
    expect(await texts({ extraction: false })).toEqual([`Issue: issue C\nPatch:\n${patch}`]);
  });

  it("goes by words where no embedding model is configured or answers, and says so once", async () => {
    const down: Embedder = {
      name: "embed:down",
      embed: () => Promise.reject(new PmcoderError("model_unavailable", "It is down.")),
    };
    const { open, warnings } = await filled(() => ({}));
    for (const found of [null, down]) {
      const memory = open({}, found);
      expect((await memory.recall(explore)).recollections).toHaveLength(1);
      await memory.recall({ ...explore, target: { ...target, issue: "Another." } });
    }
    expect(warnings).toEqual([
      "Experiences are matched by their words (BM25) and not by their meaning: no embedding model is configured.",
      "Experiences are matched by their words (BM25) and not by their meaning: It is down.",
    ]);
  });

  it("embeds what was learned without a model, and asks for nothing in an empty bank", async () => {
    const { open, model } = world(scholar, { rerank: false });
    expect(await open().recall(explore)).toEqual({ recollections: [], denied: {} });
    expect(model.requests).toEqual([]);
    await open().learn(episode("C"));
    await open().learn(episode("B"));
    const [best] = (await open({}, near).recall(explore)).recollections;
    expect(best?.instanceId).toBe("B");
  });
});
