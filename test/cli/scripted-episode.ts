import { RunConfig } from "../../src/domain/config/run-config.ts";
import type { EpisodeEvent, PatchRecord, RecordedEvent } from "../../src/domain/episode.ts";

const startedAt = 1_700_000_000_000;

/** Events as the journal hands them out, each with the second at which it happened. */
export function recorded(
  script: readonly (readonly [second: number, event: EpisodeEvent])[],
): readonly RecordedEvent[] {
  return script.map(([second, event], seq) => ({
    ...event,
    run: "r1",
    seq,
    at: startedAt + second * 1000,
  }));
}

export const begin: EpisodeEvent = {
  type: "begin",
  run: "r1",
  instanceId: null,
  task: "It breaks.",
  arm: "baseline",
  model: "anthropic:a",
  environment: { kind: "bubblewrap", workdir: "/repo" },
  base: { tree: "t", commit: null, store: "/var/tmp/base" },
  wantsPatch: true,
  config: RunConfig.parse({}),
  version: "0.1.0",
};

export function reply(step: number, cost: number | null = 0.01): EpisodeEvent {
  return {
    type: "reply",
    step,
    purpose: "act",
    message: { role: "assistant", content: "", calls: [] },
    usage: { input: 9_000, cached: 8_000, cacheWritten: 0, output: 100 },
    cost,
    stop: "calls",
    seconds: 4,
  };
}

export function command(step: number, text: string): EpisodeEvent {
  return { type: "command", step, callId: `c${step}`, command: text };
}

export function observation(step: number, change: object = {}): EpisodeEvent {
  return {
    type: "observation",
    step,
    callId: `c${step}`,
    exitCode: 0,
    timedOut: false,
    interrupted: false,
    background: false,
    output: "",
    totalBytes: 0,
    leftOutBytes: 0,
    seconds: 0.2,
    content: "",
    ...change,
  };
}

export const patch: PatchRecord = {
  source: "extraction",
  bytes: 1234,
  files: ["src/a.py", "src/b.py"],
  leftOut: [{ path: "core.dump", reason: "larger than 20 MB" }],
  applies: true,
};

/** An episode with one of everything. */
export const episode: readonly (readonly [number, EpisodeEvent])[] = [
  [0, begin],
  [0, { type: "notice", text: "No sandbox: \u001b[31mcommands run here." }],
  [0, { type: "prompt", system: "s", task: "t" }],
  [2, { type: "retry", purpose: "act", attempt: 1, of: 10, waitSec: 2, reason: "overloaded" }],
  [6, reply(1)],
  [6, command(1, "sed -n 1,20p src/a.py\n")],
  [6.2, observation(1)],
  [9, reply(2)],
  [9, { type: "format_error", step: 2, kind: "no_call", answers: [] }],
  [12, reply(3)],
  [12, command(3, "pytest -q\ttests \u001b[2J && echo done")],
  [72, observation(3, { exitCode: 124, timedOut: true, seconds: 60 })],
  [75, reply(4)],
  [75, command(4, "python app.py &")],
  [75.3, observation(4, { background: true, exitCode: 3, seconds: 0.3 })],
  [80, reply(5)],
  [80, command(5, "submit")],
  [80, observation(5, { seconds: 0.04 })],
  [80, { type: "submission", step: 5, text: "diff" }],
  [81, { type: "patch", ...patch }],
  [81, { type: "end", status: "submitted", reason: "submitted at step 5", seconds: 81 }],
];
