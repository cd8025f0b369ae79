import type { Turn, TurnCall } from "./foreign.ts";
import type { JsonObject } from "./message-text.ts";
import { bashCommandOf, bashOf } from "./openhands-tool.ts";

/** A tool used in a reply. `key` is how its answer names it; null where answers name nothing. */
interface Use {
  readonly key: string | null;
  readonly callId: string | null;
  readonly tool: string;
  readonly input: JsonObject;
}

/** What the events of any OpenHands version come to. */
export type HistoryEvent =
  | { readonly type: "asked"; readonly text: string }
  | {
      readonly type: "replied";
      /** Tool uses of one reply share it; null: a reply of its own. */
      readonly reply: string | null;
      readonly content: string;
      readonly thought: string;
      readonly use: Use | null;
    }
  | {
      readonly type: "answered";
      readonly key: string | null;
      readonly output: string;
      readonly exitCode: number | null;
    };
type Replied = Extract<HistoryEvent, { type: "replied" }>;
type Answered = Extract<HistoryEvent, { type: "answered" }>;
type Placed = Replied & { readonly next: HistoryEvent | undefined };

/** Calls that came in one reply, together. */
function byReply(events: readonly HistoryEvent[]): readonly (readonly Placed[])[] {
  const groups: Placed[][] = [];
  for (const [at, event] of events.entries()) {
    if (event.type !== "replied") continue;
    const group = groups.at(-1);
    const placed = { ...event, next: events[at + 1] };
    if (group && event.reply !== null && group[0]?.reply === event.reply) group.push(placed);
    else groups.push([placed]);
  }
  return groups;
}

/** The answer that names the use; where nothing is named, the event after it. */
function answerTo(use: Use, next: Placed["next"], named: ReadonlyMap<string, Answered>) {
  const answer = use.key === null ? undefined : named.get(use.key);
  return answer ?? (next?.type === "answered" && next.key === null ? next : undefined);
}

/** The user's first message. */
export function taskOfHistory(events: readonly HistoryEvent[]): string {
  return events.find((event) => event.type === "asked")?.text ?? "";
}

/** Replies in order; a reply that the harness could not read is not recorded and not counted. */
export function turnsOfHistory(events: readonly HistoryEvent[]): readonly Turn[] {
  const named = new Map(
    events.flatMap((event) =>
      event.type === "answered" && event.key !== null ? [[event.key, event] as const] : [],
    ),
  );
  const callOf = ({ use, next }: Placed, fallbackId: string): readonly TurnCall[] => {
    if (!use) return [];
    const { tool, input } = use;
    const id = use.callId ?? fallbackId;
    const answer = answerTo(use, next, named);
    if (!answer) return [{ id, command: bashCommandOf(tool, input), result: null }];
    const { output, exitCode } = answer;
    return [{ id, ...bashOf({ tool, input, output, exitCode }) }];
  };
  return byReply(events).map((group, n) => ({
    index: n + 1,
    thought: group[0]?.thought ?? "",
    content: group[0]?.content ?? "",
    calls: group.flatMap((placed, place) => callOf(placed, `call_${n + 1}_${place + 1}`)),
    rejected: false,
  }));
}
