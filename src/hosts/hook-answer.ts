/**
 * What the model reads beside its system prompt when a session starts. Without it a model that is
 * wary of instructions in tool results may take a block for one.
 */
export const greeting =
  "Some tool results in this session end with a block headed PLANMEM. pmcoder writes it, which the user installed: the phase the work is in, the sub-task that is due, and what was seen earlier that matters now. It is no part of the tool's output. Take it as a note on your own work.";

/** A text as hosts pass it on unchanged: qwen-code escapes angle brackets in what hooks say. */
export function withoutAngles(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›");
}

/**
 * The one JSON object that a hook prints. Hosts that copied the contract look for the text in
 * either place.
 */
export function hookAnswer(event: string, context: string): string {
  const additionalContext = withoutAngles(context);
  const hookSpecificOutput = { hookEventName: event, additionalContext };
  return JSON.stringify({ hookSpecificOutput, additionalContext });
}
