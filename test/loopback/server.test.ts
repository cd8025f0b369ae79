import { describe, expect, it } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { calling, requestOf } from "../contracts/model.ts";
import { optionsFor } from "../models/adapter-setup.ts";
import { anthropicServer, reply as said } from "./anthropic-server.ts";
import { openaiServer } from "./openai-server.ts";

describe("a loopback server", () => {
  const unanswered = requestOf([
    { role: "user", content: "Fix it." },
    { role: "assistant", content: "", calls: [{ id: "A", name: "bash", input: {} }] },
    { role: "user", content: "Well?" },
  ]);
  const broken = "message 1 calls A, and what follows answers nothing";

  it.each([
    ["anthropic", anthropicServer, anthropicModel, ""],
    ["openai", openaiServer, openaiModel, "/v1"],
  ] as const)(
    "that speaks as %s refuses a request that breaks the rules, and says so",
    async (provider, serve, open, path) => {
      const server = await serve();
      const model = open(optionsFor(provider, `${server.url}${path}`));
      await expect(model.complete(unanswered, calling())).rejects.toMatchObject({
        code: "model_unavailable",
        message: expect.stringContaining(`400 ${broken}`),
      });
      await expect(server.close()).rejects.toThrow(`request 1: ${broken}`);
    },
  );

  it("says which answers nobody asked for", async () => {
    const server = await anthropicServer();
    server.answer(said({ blocks: [] }), said({ blocks: [] }));
    await expect(server.close()).rejects.toThrow("2 answers were never asked for");
  });
});
