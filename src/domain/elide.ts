import type { Message } from "./message.ts";

/** Characters. Our choice: what is no longer than this stays, since a line in its place saves nothing. */
const keptWhole = 200;

/** What stands for the output of a step that was left out, or the output itself if it is short. */
export function elidedText(step: number, content: string): string {
  if (content.length <= keptWhole) return content;
  return `[Left out to save room: the output of step ${step}, ${content.length} characters. Run the command again if you need it.]`;
}

/** The step that each message belongs to: the number of assistant turns up to it. */
export function stepsOf(messages: readonly Message[]): readonly number[] {
  let step = 0;
  return messages.map(({ role }) => {
    if (role === "assistant") step += 1;
    return step;
  });
}

/**
 * The conversation with the tool results of steps 1 to `upTo` elided. Everything else stays as it
 * is, and so does the pairing of calls and results. What is elided stays elided: doing it again,
 * with the same `upTo` or a smaller one, changes nothing, and only the largest `upTo` counts.
 */
export function elide(messages: readonly Message[], upTo: number): readonly Message[] {
  const steps = stepsOf(messages);
  return messages.map((message, at) => {
    const step = steps[at] ?? 0;
    if (message.role !== "tool" || step > upTo) return message;
    return { ...message, content: elidedText(step, message.content) };
  });
}
