import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { Follower } from "./follower.ts";
import type { OpenEpisodes } from "./open-episodes.ts";
import type { SentPage } from "./page-parts.ts";

/** Between two looks at a running episode, and between two parts of a long one (our choice). */
const pollMs = 700;

/** Sends a browser what changes of its page, as server-sent events, until nothing will any more. */
export async function streamEpisode(
  context: Context,
  open: OpenEpisodes,
  until: AbortSignal,
): Promise<Response> {
  const key = context.req.param("key") ?? "";
  const follower = await open.follow(key);
  const sent = open.page(key, context.req.query("page") ?? "");
  return streamSSE(context, async (events) => {
    if (follower === null || sent === null) {
      await events.writeSSE({ event: "gone", data: "" });
      return;
    }
    const isWanted = () => !events.aborted && !until.aborted;
    while (isWanted() && (await sendChanges(events, follower, sent))) {
      // A signal that aborts only ends the wait.
      if (!follower.isBehind) await wait(pollMs, undefined, { signal: until }).catch(() => {});
    }
  });
}

/** Returns whether there will be more. */
async function sendChanges(
  events: SSEStreamingApi,
  follower: Follower,
  sent: SentPage,
): Promise<boolean> {
  await follower.refresh();
  await follower.work(pollMs);
  const parts = sent.changes(follower.view());
  if (parts.length > 0) await events.writeSSE({ event: "parts", data: JSON.stringify(parts) });
  if (!follower.isOpen) await events.writeSSE({ event: "done", data: "" });
  return follower.isOpen;
}
