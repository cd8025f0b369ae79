import { elide } from "./elide.ts";
import type { EpisodeEvent } from "./episode.ts";
import type { Message, ToolMessage } from "./message.ts";

/** What an event adds at the end of the conversation. */
function addedBy(event: EpisodeEvent): readonly Message[] {
  switch (event.type) {
    case "prompt":
      return [
        { role: "system", content: event.system },
        { role: "user", content: event.task },
      ];
    case "reply":
      return event.purpose === "act" ? [event.message] : [];
    case "format_error":
      return event.answers.map(({ callId, content }) =>
        callId === null
          ? { role: "user", content }
          : { role: "tool", callId, content, isError: true },
      );
    case "observation":
      return [
        {
          role: "tool",
          callId: event.callId,
          content: event.content,
          ...(event.interrupted ? { isError: true } : {}),
        },
      ];
    case "skipped":
      return [{ role: "tool", callId: event.callId, content: event.content, isError: true }];
    default:
      return [];
  }
}

/** What an event puts at the end of the tool result that it is about. */
export function appendedBy(
  event: EpisodeEvent,
): { readonly callId: string | null; readonly text: string | null } | null {
  switch (event.type) {
    case "integrity":
    case "verdict":
      return { callId: event.callId, text: event.note };
    case "advice":
    case "experience":
      return { callId: event.callId, text: event.block };
    case "remark":
      return { callId: event.callId, text: event.text };
    default:
      return null;
  }
}

/**
 * Grows a conversation by an event, in place. What grounding found, the advice and then what was
 * learned from other issues go to the end of the newest tool result, which no model has seen yet:
 * whatever was sent stays as it was (arXiv:2608.06811, III-A), but for a compaction, where the user
 * wants one.
 */
export function grow(messages: Message[], event: EpisodeEvent): void {
  if (event.type === "compact") messages.splice(0, messages.length, ...elide(messages, event.upTo));
  messages.push(...addedBy(event));
  const { callId = null, text = null } = appendedBy(event) ?? {};
  const newest = messages.at(-1);
  if (text === null || newest?.role !== "tool" || newest.callId !== callId) return;
  const grown: ToolMessage = { ...newest, content: `${newest.content}\n\n${text}` };
  messages.splice(-1, 1, grown);
}

/** The whole conversation that a list of events stands for. */
export function conversationOf(events: readonly EpisodeEvent[]): readonly Message[] {
  const messages: Message[] = [];
  for (const event of events) grow(messages, event);
  return messages;
}
