import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keysFinding, modelFinding } from "../../src/cli/doctor-model.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { loopbackServer } from "./loopback-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };

function look(model: object, env = {}) {
  return modelFinding({ ...RunConfig.parse({}).model, ...model }, env, clock);
}

async function lookAt(listener: RequestListener, name = "openai:coder", env = {}) {
  const baseUrl = `${await loopbackServer(listener)}/v1`;
  return { baseUrl, finding: await look({ name, baseUrl }, env) };
}

describe("keys", () => {
  it("are named, never shown", () => {
    const finding = keysFinding({ ANTHROPIC_API_KEY: "sk-1234", PMCODER_API_KEY: "sk-5678" });
    expect(finding).toEqual({
      name: "keys",
      state: "ok",
      found: "ANTHROPIC_API_KEY, PMCODER_API_KEY",
    });
  });

  it("may be none, for some models need none", () => {
    expect(keysFinding({})).toMatchObject({
      state: "optional",
      fix: "export ANTHROPIC_API_KEY=YOUR_KEY",
    });
  });
});

describe("a model without a server", () => {
  it("is optional when none is set", async () => {
    expect(await look({})).toMatchObject({
      state: "optional",
      fix: "pmcoder config set model PROVIDER:NAME",
    });
  });

  it.each([
    ["anthropic:a", /ANTHROPIC_API_KEY/],
    ["openai:a", /OPENAI_API_KEY/],
    ["gemini:a", /gemini:a/],
    ["coder", /provider:name/],
    ["replay:/nowhere/cassette.jsonl", /cassette\.jsonl/],
  ])("%s is missing, with what a run would say", async (name, found) => {
    expect(await look({ name })).toMatchObject({
      name: "model",
      state: "missing",
      found: expect.stringMatching(found),
    });
  });
});

describe("a model's server", () => {
  it("is asked for its list, with the key, and answers", async () => {
    let asked: { url: string | undefined; headers: IncomingHttpHeaders } | undefined;
    const { finding } = await lookAt(
      ({ url, headers }, response) => {
        asked = { url, headers };
        response.end(JSON.stringify({ data: [{ id: "other" }, { id: "coder:latest" }] }));
      },
      "openai:coder",
      { PMCODER_API_KEY: "k1" },
    );
    expect(finding).toEqual({
      name: "model",
      state: "ok",
      found: "openai:coder: the server answers",
    });
    expect(asked?.url).toBe("/v1/models");
    expect(asked?.headers.authorization).toBe("Bearer k1");
  });

  it("of the Anthropic kind is asked in its own way", async () => {
    let asked = "";
    const baseUrl = await loopbackServer(({ url, headers }, response) => {
      asked = `${url} ${headers["x-api-key"]} ${headers["anthropic-version"]}`;
      response.end("{}");
    });
    const finding = await look(
      { name: "anthropic:a", baseUrl: `${baseUrl}/` },
      { PMCODER_API_KEY: "k1" },
    );
    expect(finding.state).toBe("ok");
    expect(asked).toBe("/v1/models k1 2023-06-01");
  });

  it("that does not know the model says which it has", async () => {
    const { finding } = await lookAt((_, response) => {
      response.end(JSON.stringify({ data: [{ id: "qwen" }, { id: "llama" }] }));
    });
    expect(finding).toEqual({
      name: "model",
      state: "optional",
      found: "the server answers, but its list does not hold coder: qwen, llama",
      fix: "pmcoder config set model openai:qwen",
    });
  });

  it.each([
    [302, "ok", "openai:coder: the server answers"],
    [404, "ok", "openai:coder: the server answers"],
    [503, "missing", "answers with status 503"],
    [401, "missing", "does not accept the key in PMCODER_API_KEY"],
  ])("that answers with status %i is %s", async (status, state, found) => {
    const { finding } = await lookAt(
      (_, response) => response.writeHead(status, { location: "/elsewhere" }).end("no JSON"),
      "openai:coder",
      { PMCODER_API_KEY: "k1" },
    );
    expect(finding).toMatchObject({ state, found: expect.stringContaining(found) });
    expect(JSON.stringify(finding)).not.toContain("k1");
  });

  it("that is silent is given up after three seconds", async () => {
    const { finding, baseUrl } = await lookAt(() => {});
    expect(finding).toEqual({
      name: "model",
      state: "missing",
      found: `openai:coder: ${baseUrl}/models does not answer within 3 s`,
      fix: "start the server (Ollama: ollama serve)",
    });
  });
});

describe("recorded replies", () => {
  it("need to be readable and no more", async () => {
    const file = join(temporaryFolder(), "run.traj.json");
    const messages = [{ role: "assistant", content: "```bash\nls\n```" }];
    writeFileSync(
      file,
      JSON.stringify({ trajectory_format: "mini-swe-agent-1", messages, info: {} }),
    );
    expect(await look({ name: `replay:${file}` })).toMatchObject({ state: "ok" });
  });
});
