import type { Keys } from "../models/open-model.ts";
import type { Env } from "./env.ts";

const keyNames = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PMCODER_API_KEY"] as const;
type KeyName = (typeof keyNames)[number];

/** The keys that the environment holds, by name; their values never reach a text. */
export function keysHeld(env: Env): readonly KeyName[] {
  return keyNames.filter((name) => (env[name] ?? "").trim() !== "");
}

export function keysOf(env: Env): Keys {
  return {
    anthropic: env.ANTHROPIC_API_KEY,
    openai: env.OPENAI_API_KEY,
    pmcoder: env.PMCODER_API_KEY,
  };
}

interface Suggestion {
  readonly name: string;
  readonly key: KeyName | null;
  readonly flags: string;
}

const suggestions: readonly Suggestion[] = [
  {
    name: "Anthropic",
    key: "ANTHROPIC_API_KEY",
    flags: "--model anthropic:claude-sonnet-5-5",
  },
  { name: "OpenAI", key: "OPENAI_API_KEY", flags: "--model openai:gpt-6.2-sol" },
  {
    name: "Ollama, vLLM, llama.cpp or any OpenAI-compatible server",
    key: null,
    flags: "--model openai:qwen3-coder --base-url http://127.0.0.1:11434/v1",
  },
  { name: "Recorded replies", key: null, flags: "--model replay:FILE" },
];

/** What to do when no model is set: the keys found, and one line to copy per provider. */
export function noModelMessage(env: Env): string {
  const held = keysHeld(env);
  const found = held.length > 0 ? held.join(", ") : "none";
  const lines = suggestions.map(({ name, key, flags }) => {
    const prefix = key === null || held.includes(key) ? "" : `${key}=YOUR_KEY `;
    return `  # ${name}\n  ${prefix}pmcoder run --issue ISSUE.md ${flags}`;
  });
  return [
    `No model is set. Keys in the environment: ${found}. One line for each provider:`,
    ...lines,
    "Keep a choice with: pmcoder config set model PROVIDER:NAME",
  ].join("\n");
}
