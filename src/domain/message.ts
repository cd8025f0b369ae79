/**
 * One tool call of a reply. `input` is always a JSON object, so that the next request is valid
 * whatever the model wrote; `malformed` says why the call must not be run (with the raw text in
 * `input.unparsed`), `cut` that the reply ended inside it.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly malformed?: string;
  readonly cut?: true;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /**
   * The provider's own blocks (thinking, signatures, unknown fields), sent back deep-equal to how
   * they came; `provider` says whose they are, and another provider's adapter ignores them.
   */
  readonly native?: { readonly provider: string; readonly blocks: readonly unknown[] };
}

export interface ToolMessage {
  readonly role: "tool";
  readonly callId: string;
  readonly content: string;
  /** The call was not run: malformed, cut, or not reached. A nonzero exit is not an error. */
  readonly isError?: true;
}

/**
 * The provider-neutral conversation. Invariants: every call of an assistant message is answered by
 * exactly one tool message, in order, before anything else; no earlier message ever changes.
 */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | AssistantMessage
  | ToolMessage;

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}
