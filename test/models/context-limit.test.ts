import { describe, expect, it } from "vitest";
import { withContextLimit } from "../../src/models/context-limit.ts";
import { answered, calling, opening, requestOf } from "../contracts/model.ts";
import { scriptedModel } from "../scripted-model.ts";

describe("withContextLimit", () => {
  const long = { role: "user", content: "x".repeat(4000) } as const;

  it("estimates what no reply has counted yet, at four characters a token", async () => {
    const model = withContextLimit(scriptedModel(["ls", "ls"]), 1000);
    await model.complete(requestOf(opening), calling());
    await expect(model.complete(requestOf([...opening, long]), calling())).rejects.toMatchObject({
      code: "context_exhausted",
    });
  });

  it("counts what the last reply counted, and estimates only what came after", async () => {
    const inner = scriptedModel(["ls", "ls"]);
    const model = withContextLimit(inner, 1200);
    const first = await model.complete(requestOf(opening), calling());
    const next = answered(opening, first, ["x".repeat(300)]);
    await expect(model.complete(requestOf(next), calling())).resolves.toBeDefined();
    const tooLong = answered(opening, first, ["x".repeat(500)]);
    const other = withContextLimit(scriptedModel(["ls"]), 1200);
    await other.complete(requestOf(opening), calling());
    await expect(other.complete(requestOf(tooLong), calling())).rejects.toMatchObject({
      code: "context_exhausted",
      message: "The prompt no longer fits: about 1237 tokens, and model.contextTokens allows 1200.",
    });
    expect(inner.requests).toHaveLength(2);
  });

  it("counts less for messages that were shortened since", async () => {
    const model = withContextLimit(scriptedModel(["ls", "ls"]), 1200);
    const first = await model.complete(requestOf([...opening, long]), calling());
    const results = ["x".repeat(1000)];
    const whole = requestOf(answered([...opening, long], first, results));
    await expect(model.complete(whole, calling())).rejects.toMatchObject({
      message: expect.stringContaining("about 1362 tokens"),
    });
    const short = { ...long, content: long.content.slice(0, 2000) };
    const elided = requestOf(answered([...opening, short], first, results));
    await expect(model.complete(elided, calling())).resolves.toBeDefined();
  });

  it("keeps purposes apart, and forgets a count that a shorter conversation does not hold", async () => {
    const model = withContextLimit(scriptedModel(["ls", "ls", "ls"]), 1050);
    await model.complete(requestOf([...opening, ...opening]), calling());
    await model.complete({ ...requestOf(opening), purpose: "decompose" }, calling());
    await expect(model.complete(requestOf(opening), calling())).resolves.toBeDefined();
  });
});
