import { describe, expect, it } from "vitest";
import { keysHeld, noModelMessage } from "../../src/cli/keys.ts";

describe("keys", () => {
  it.each([
    [{}, []],
    [{ ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "" }, ["ANTHROPIC_API_KEY"]],
    [{ PMCODER_API_KEY: "a", OPENAI_API_KEY: " " }, ["PMCODER_API_KEY"]],
  ])("of %j are %j", (env, names) => {
    expect(keysHeld(env)).toEqual(names);
  });
});

describe("the answer to a run without a model", () => {
  it("gives a line for each provider when there is no key", () => {
    expect(noModelMessage({})).toMatchInlineSnapshot(`
      "No model is set. Keys in the environment: none. One line for each provider:
        # Anthropic
        ANTHROPIC_API_KEY=YOUR_KEY pmcoder run --issue ISSUE.md --model anthropic:claude-sonnet-5-5
        # OpenAI
        OPENAI_API_KEY=YOUR_KEY pmcoder run --issue ISSUE.md --model openai:gpt-6.2-sol
        # Ollama, vLLM, llama.cpp or any OpenAI-compatible server
        pmcoder run --issue ISSUE.md --model openai:qwen3-coder --base-url http://127.0.0.1:11434/v1
        # Recorded replies
        pmcoder run --issue ISSUE.md --model replay:FILE
      Keep a choice with: pmcoder config set model PROVIDER:NAME"
    `);
  });

  it("names the keys found, never their values", () => {
    const text = noModelMessage({ ANTHROPIC_API_KEY: "sk-ant-1234", OPENAI_API_KEY: "sk-5678" });
    expect(text).toContain("Keys in the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY.");
    expect(text).toContain("\n  pmcoder run --issue ISSUE.md --model anthropic:");
    expect(text).not.toMatch(/1234|5678/);
  });
});
