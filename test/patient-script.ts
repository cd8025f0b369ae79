import type { Message } from "../src/domain/message.ts";
import type { Scripted } from "./scripted-model.ts";

/** What the model is told of a call that did not run to its end. */
const undoneMarks = [
  "Started, then the run was interrupted",
  "Interrupted while running",
  "Not run: the run was interrupted",
];

const isUndone = (answer: string) => undoneMarks.some((mark) => answer.includes(mark));

/** What of a conversation decides what comes next. */
export type Spoken = Pick<Message, "role" | "content"> & {
  readonly calls?: readonly { readonly id: string; readonly command: string }[];
  readonly callId?: string;
};

/** Commands of an assistant message whose answer says that they did not run to their end. */
function undoneOf(messages: readonly Spoken[], at: number): readonly string[] {
  const calls = messages[at]?.calls ?? [];
  return calls.flatMap(({ id, command }) => {
    const answer = messages.find(({ callId }, index) => index > at && callId === id);
    return answer && isUndone(answer.content) ? [command] : [];
  });
}

/**
 * What a model says that follows a script, whose commands can be repeated, in a conversation that
 * may have been interrupted: the commands that did not run to their end again, else the next turn.
 * It keeps no state, so that whoever asks again gets the same. undefined: the script is at its end.
 */
export function nextTurn(
  script: readonly Scripted[],
  messages: readonly Spoken[],
): Scripted | undefined {
  let done = 0;
  let undone: readonly string[] = [];
  for (const [at, { role }] of messages.entries()) {
    if (role !== "assistant") continue;
    undone = undoneOf(messages, at);
    if (undone.length === 0) done += 1;
  }
  return undone.length > 0 ? undone : script[done];
}
