import type { EpisodeEvent } from "./episode.ts";
import type { Message } from "./message.ts";

/**
 * What an event adds to the conversation. The loop grows its messages with this and nothing else,
 * so that a journal read back gives the very same conversation.
 */
export function messagesOf(event: EpisodeEvent): readonly Message[] {
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
      return [{ role: "tool", callId: event.callId, content: event.content }];
    default:
      return [];
  }
}

/** The whole conversation that a list of events stands for. */
export function conversationOf(events: readonly EpisodeEvent[]): readonly Message[] {
  return events.flatMap(messagesOf);
}
