import { BrokenReply } from "./failure.ts";
import { noTimeoutMs } from "./transport.ts";

/** A stream as both SDKs give it, which can be aborted. */
export interface Stream<T> extends AsyncIterable<T> {
  readonly controller: AbortController;
}

/**
 * `stream`, given up once nothing but keep-alives came for twice `silenceSec`. Those are bytes, so
 * the connection looks alive however long whatever stands behind it is dead. Our choice: twice,
 * since a keep-alive does say that somebody is at work.
 * @throws BrokenReply
 */
export async function* withoutStalls<T>(
  stream: Stream<T>,
  silenceSec: number,
): AsyncGenerator<T, void> {
  const limitSec = 2 * silenceSec;
  let stalled = false;
  const timer = setTimeout(
    () => {
      stalled = true;
      stream.controller.abort();
    },
    Math.min(limitSec * 1000, noTimeoutMs),
  );
  try {
    for await (const item of stream) {
      timer.refresh();
      yield item;
    }
  } catch (error) {
    // Some connections say that they were aborted, and some just end.
    if (!stalled) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (stalled) throw new BrokenReply(`no part of a reply for ${limitSec} s`);
}
