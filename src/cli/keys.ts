import type { Env } from "./env.ts";

export const keyNames = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PMCODER_API_KEY"] as const;
export type KeyName = (typeof keyNames)[number];

/** The keys that the environment holds, by name; their values never reach a text. */
export function keysHeld(env: Env): readonly KeyName[] {
  return keyNames.filter((name) => (env[name] ?? "").trim() !== "");
}

/** A server on this machine, which needs no key and costs nothing. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

export interface KeyRule {
  readonly name: KeyName;
  /** Without it no call can succeed. */
  readonly required: boolean;
}

/**
 * Which key goes to a provider. A server named by its URL gets PMCODER_API_KEY alone, so that a
 * provider's own key never reaches a foreign host; null for `replay`, which calls nobody.
 */
export function keyRuleOf(model: string, baseUrl: string | null): KeyRule | null {
  const provider = model.slice(0, Math.max(model.indexOf(":"), 0));
  if (provider === "replay") return null;
  if (baseUrl !== null) return { name: "PMCODER_API_KEY", required: !isLoopback(baseUrl) };
  return {
    name: provider === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY",
    required: true,
  };
}

const providers: readonly {
  readonly name: string;
  readonly key: KeyName | null;
  readonly flags: string;
}[] = [
  { name: "Anthropic", key: "ANTHROPIC_API_KEY", flags: "--model anthropic:claude-sonnet-5-5" },
  { name: "OpenAI", key: "OPENAI_API_KEY", flags: "--model openai:gpt-5.2" },
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
  const lines = providers.map(({ name, key, flags }) => {
    const prefix = key === null || held.includes(key) ? "" : `${key}=YOUR_KEY `;
    return `  # ${name}\n  ${prefix}pmcoder run --issue ISSUE.md ${flags}`;
  });
  return [
    `No model is set. Keys in the environment: ${found}. One line for each provider:`,
    ...lines,
    "Keep a choice with: pmcoder config set model PROVIDER:NAME",
  ].join("\n");
}
