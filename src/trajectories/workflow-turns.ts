import type { EpisodeEvent } from "../domain/episode.ts";
import { isWorkflowStep } from "../domain/model.ts";

/**
 * The events of a run with each command of a workflow as a call of the reply that it follows, as it
 * would be in the loop. Events of the loop stay as they are.
 */
export function withCalls<Event extends EpisodeEvent>(events: readonly Event[]): readonly Event[] {
  return events.map((event, at) => {
    if (event.type !== "reply" || !isWorkflowStep(event.purpose)) return event;
    const next = events.findIndex((later, index) => index > at && isReply(later));
    const follow = events.slice(at + 1, next === -1 ? undefined : next);
    const calls = follow.flatMap((one) =>
      one.type === "command"
        ? [{ id: one.callId, name: "bash", input: { command: one.command } }]
        : [],
    );
    return { ...event, message: { ...event.message, calls } };
  });
}

const isReply = (event: EpisodeEvent) => event.type === "reply" && isWorkflowStep(event.purpose);
