import { PmcoderError } from "../domain/errors.ts";
import type { Message } from "../domain/message.ts";
import { decompositionPrompt } from "../substrate/planner/decompose.ts";
import { type Asking, ask } from "./ask.ts";
import type { EpisodeLog } from "./episode-log.ts";

/** The planner's question to the model: the issue, cut to `issueChars`, and what to make of it. */
export function decompositionQuestion(issue: string, issueChars: number): readonly Message[] {
  const { system, user } = decompositionPrompt(issue, issueChars);
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

/**
 * The planner's only model call: the issue split into sub-tasks, as the model wrote it. null when
 * the call fails, whereupon a fixed plan stands in; an interrupt goes through.
 */
export async function decompose(
  asking: Asking,
  messages: readonly Message[],
  log: EpisodeLog,
): Promise<string | null> {
  try {
    const { event } = await ask(asking, {
      step: 0,
      purpose: "decompose",
      messages,
      tools: [],
      onRetry: (retry) => log.record(retry),
    });
    await log.record(event);
    return event.message.content;
  } catch (error) {
    if (!(error instanceof PmcoderError) || error.code === "interrupted") throw error;
    if (error.code === "storage") throw error;
    await log.record({ type: "notice", text: `The plan is the fixed one: ${error.message}` });
    return null;
  }
}
