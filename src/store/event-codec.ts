import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EpisodeEvent, RecordedEvent } from "../domain/episode.ts";

/**
 * How events usually look, so that the first bytes of a small one compress too. Part of the stored
 * format: to change it, add a second dictionary and a schema version that says which rows use it.
 */
const dictionary = Buffer.from(
  [
    '{"type":"notice","text":"',
    '{"type":"retry","purpose":"act","attempt":1,"of":10,"waitSec":2,"reason":"',
    '{"type":"format_error","step":1,"kind":"no_call","answers":[{"callId":null,"content":"',
    '{"type":"submission","step":1,"text":"diff --git a/',
    '{"type":"patch","source":"extraction","bytes":0,"files":[],"leftOut":[],"applies":true}',
    '{"type":"end","status":"submitted","reason":"submitted at step ","seconds":',
    "cat -n python -m pytest -q sed -n '1,80p' grep -rn git diff && echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    '[{"type":"reply","step":1,"purpose":"act","message":{"role":"assistant","content":"","calls":[{"id":"call_toolu_","name":"bash","input":{"command":""}}]},"usage":{"input":1000,"cached":0,"cacheWritten":0,"output":100},"cost":null,"cost":0,"stop":"end","stop":"calls","seconds":0.',
    '},{"type":"command","step":1,"callId":"call_toolu_","command":"',
    '[{"type":"observation","step":1,"callId":"call_toolu_","exitCode":0,"timedOut":false,"interrupted":false,"background":false,"output":"","totalBytes":0,"leftOutBytes":0,"seconds":0.0,"content":"<returncode>0</returncode>\\n<output>\\n(no output)\\n</output>"}]',
  ].join(""),
);

/** The events of one append, as stored: JSON, compressed, because an observation says much twice. */
export function encodeEvents(events: readonly EpisodeEvent[]): Uint8Array {
  return deflateRawSync(JSON.stringify(events), { dictionary });
}

/** Throws when the bytes are not what `encodeEvents` made. */
export function decodeEvents(bytes: Uint8Array): readonly EpisodeEvent[] {
  const events: unknown = JSON.parse(inflateRawSync(bytes, { dictionary }).toString("utf8"));
  if (!Array.isArray(events) || !events.every(isEvent)) throw new Error("no list of events");
  return events as readonly EpisodeEvent[];
}

function isEvent(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The events of one append as the journal gives them back. `first`: the seq of the first. */
export function recordEvents(
  run: string,
  events: readonly EpisodeEvent[],
  first: number,
  at: number,
): readonly RecordedEvent[] {
  return events.map((event, n) => ({ ...event, run, seq: first + n, at }));
}
