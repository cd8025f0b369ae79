import type { TextStream } from "./env.ts";
import type { Watcher } from "./progress.ts";

/** Every event as one JSON object a line. */
export function watchAsJson(stream: TextStream): Watcher {
  return {
    see: (event) => void stream.write(`${JSON.stringify(event)}\n`),
    hold: () => () => {},
    close: () => {},
  };
}
