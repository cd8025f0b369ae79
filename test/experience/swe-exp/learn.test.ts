import { describe, expect, it } from "vitest";
import type { Bank } from "../../../src/domain/bank.ts";
import { PmcoderError } from "../../../src/domain/errors.ts";
import { episode, patch, scholar, world } from "./world.ts";

const payloads = async (bank: Bank) => (await bank.read({})).map(({ payload }) => payload);

describe("SWE-Exp's experience bank", () => {
  it("learns from a success how it was seen and how it was mended, once", async () => {
    const { memory, bank, model } = world();
    expect(await memory.learn(episode("A"))).toEqual({ added: 1, changed: 0, notes: [] });
    expect(await payloads(bank)).toEqual([
      {
        flag: "success",
        issue_type: "StaleCacheError",
        description: "about A",
        perspective: ["A number that is kept beside what it counts grows old."],
        modification: ["Count when asked.", "Keep no copy."],
        patch,
        embedding: null,
      },
    ]);
    const asked = model.requests.length;
    expect(await memory.learn(episode("A"))).toEqual({ added: 0, changed: 0, notes: [] });
    expect(model.requests).toHaveLength(asked);
  });

  it("learns from a failure what to do instead, by the patch that resolves it", async () => {
    const { memory, bank, model } = world();
    await memory.learn(episode("A", { resolved: false, patch: "", goldPatch: patch }));
    expect(await payloads(bank)).toMatchObject([
      { flag: "failed", perspective: ["It looked at the view only."], patch },
    ]);
    const distilled = model.requests.filter(({ purpose }) => purpose === "distil");
    expect(distilled).toHaveLength(1);
    expect(distilled[0]?.messages.at(-1)?.content).toContain("self.rowList");
  });

  it("sends back a sentence that names code, and strips the name if it comes again", async () => {
    const { memory, bank, model } = world({
      ...scholar,
      type: () => ({ issue_type: "CountError", description: "`row_count` in lib/store.py is old" }),
      distil: (prompt) =>
        prompt.includes('{"perspective"')
          ? { perspective: "Look at `rowList`." }
          : { modification: ["Drop row_count from store.py.", "Count."] },
    });
    await memory.learn(episode("A"));
    const [payload] = await payloads(bank);
    expect(payload).toMatchObject({
      description: "an entity in a file is old",
      perspective: ["Look at an entity."],
      modification: ["Drop an entity from a file.", "Count."],
    });
    const distilled = model.requests.filter(({ purpose }) => purpose === "distil");
    expect(distilled).toHaveLength(4);
    expect(distilled[1]?.messages.at(-1)?.content).toContain("rowList");
  });

  it("keeps what was paid for where the embedding model does not answer", async () => {
    const { open, bank, warnings } = world();
    const down = new PmcoderError("model_unavailable", "It is down.");
    const memory = open({}, { name: "embed:down", embed: () => Promise.reject(down) });
    expect(await memory.learn(episode("A"))).toMatchObject({ added: 1 });
    expect(await payloads(bank)).toMatchObject([{ flag: "success", embedding: null }]);
    expect(warnings).toEqual(["The experience is kept without a vector: It is down."]);
  });

  it.each([
    ["nothing was done", { steps: [] }, "The episode has no steps to learn from."],
    ["a success has no patch", { patch: "" }, "The episode has no patch."],
  ])("learns nothing where %s", async (_, over, note) => {
    const { memory } = world();
    expect(await memory.learn(episode("A", over))).toEqual({ added: 0, changed: 0, notes: [note] });
  });

  it("learns nothing from answers that cannot be read, and says so", async () => {
    const { memory, bank } = world({ ...scholar, distil: () => "hm" }, { tries: 2 });
    const { added, notes } = await memory.learn(episode("A"));
    expect([added, notes]).toEqual([0, ["No experience could be read: it holds no JSON object."]]);
    expect(await payloads(bank)).toEqual([]);
  });
});
