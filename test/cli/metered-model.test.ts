import { expect, it } from "vitest";
import { metered } from "../../src/cli/localize/metered-model.ts";
import type { Model, ModelRequest, Price } from "../../src/domain/model.ts";

const request: ModelRequest = {
  purpose: "locate",
  messages: [{ role: "user", content: "Where?" }],
  tools: [],
  maxOutputTokens: 100,
};
const options = { signal: new AbortController().signal, onRetry: () => {} };

/** Answers twice and is gone. */
function twice(price: Price | null): Model {
  let left = 2;
  return {
    name: "test:twice",
    price,
    complete: async () => {
      if (left === 0) throw new Error("gone");
      left -= 1;
      const usage = { input: 1000, cached: 600, cacheWritten: 100, output: 50 };
      const message = { role: "assistant", content: "There.", calls: [] } as const;
      return { message, usage, stop: "end", model: "twice" };
    },
  };
}

it.each([
  // 300 fresh, 600 cached, 100 written and 50 put out, twice.
  [{ input: 10, cached: 1, cacheWritten: 20, output: 100 }, 0.0212],
  [null, null],
])("counts whole replies at the price %j", async (price, cost) => {
  const { model, spent } = metered(twice(price));
  expect(spent().cost).toBe(price && 0);
  await model.complete(request, options);
  await model.complete(request, options);
  await expect(model.complete(request, options)).rejects.toThrow("gone");
  const tokens = { input: 2000, cached: 1200, output: 100 };
  expect(spent()).toEqual({ calls: 2, tokens, cost: cost && expect.closeTo(cost, 10) });
});
