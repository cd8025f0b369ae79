/**
 * What servers that speak chat completions disagree about. Each starts as most of them want it;
 * a server that refuses the request for one of these reasons gets it the other way from then on.
 */
export interface Dialect {
  readonly limitField: "max_tokens" | "max_completion_tokens";
  readonly askUsage: boolean;
  readonly sendSeed: boolean;
  /**
   * Our choice: off. Most servers drop earlier reasoning or charge for it, and DeepSeek's R1 refuses
   * it; its V4 and some of OpenRouter's models refuse a conversation with tool calls without it.
   */
  readonly sendReasoning: boolean;
}

interface Adaptation {
  readonly when: RegExp;
  readonly change: Partial<Dialect>;
  readonly reason: string;
}

const adaptations: readonly Adaptation[] = [
  {
    when: /use '?max_completion_tokens/i,
    change: { limitField: "max_completion_tokens" },
    reason: "the server wants max_completion_tokens",
  },
  {
    when: /stream_options|include_usage/i,
    change: { askUsage: false },
    reason: "the server does not take stream_options",
  },
  {
    when: /\bseed\b/i,
    change: { sendSeed: false },
    reason: "the server does not take a seed",
  },
  {
    when: /reasoning_content|reasoning_details|thought_signature/i,
    change: { sendReasoning: true },
    reason: "the server wants earlier reasoning back",
  },
];

/** OpenAI's own servers take the limit under its new name for every model; others know the old. */
export function dialectOf(baseUrl: string | null): Dialect {
  const own = baseUrl === null || new URL(baseUrl).hostname === "api.openai.com";
  const limitField = own ? "max_completion_tokens" : "max_tokens";
  return { limitField, askUsage: true, sendSeed: true, sendReasoning: false };
}

/** The dialect that a refusal asks for and why, or null if it asks for nothing that can change. */
export function adapt(
  dialect: Dialect,
  refusal: string,
): { readonly dialect: Dialect; readonly reason: string } | null {
  for (const { when, change, reason } of adaptations) {
    const next = { ...dialect, ...change };
    const changes = JSON.stringify(next) !== JSON.stringify(dialect);
    if (when.test(refusal) && changes) return { dialect: next, reason };
  }
  return null;
}
