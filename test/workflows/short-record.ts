import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";

export const files = { "answer.py": "answer = 41\n", "notes.txt": "keep\n" };

export const patch = `diff --git a/answer.py b/answer.py
--- a/answer.py
+++ b/answer.py
@@ -1 +1 @@
-answer = 41
+answer = 42
`;

export const said = (content: string) => ({
  message: { role: "assistant", content, calls: [] } as const,
  stop: "end" as const,
});

export const script = [said("hello"), said("yes")];

/** The events as a later process reads them. */
export const recorded = (events: readonly EpisodeEvent[]): RecordedEvent[] =>
  events.map((event, seq) => ({ ...event, run: "20260101-000000-test", seq, at: seq }));

export function baseOf([begun]: readonly EpisodeEvent[]) {
  if (begun?.type !== "begin") throw new Error("the run did not begin");
  return begun.base;
}
