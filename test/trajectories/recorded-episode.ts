import { RunConfig } from "../../src/domain/config/run-config.ts";
import type { EpisodeEvent, Observation, RecordedEvent } from "../../src/domain/episode.ts";
import type { ToolCall } from "../../src/domain/message.ts";

const startedAt = Date.UTC(2026, 10, 30, 14, 25, 1);

/** Events as the journal gives them back: numbered, a second apart. */
export function recorded(run: string, events: readonly EpisodeEvent[]): readonly RecordedEvent[] {
  return events.map((event, seq) => ({ ...event, run, seq, at: startedAt + seq * 1000 }));
}

export function beginEvent(run: string): EpisodeEvent {
  return {
    type: "begin",
    run,
    instanceId: "shapes__area-7",
    task: "The area is wrong.\n",
    arm: "baseline",
    model: "scripted:test",
    environment: { kind: "bubblewrap", workdir: "/home/ada/shapes" },
    base: {
      tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      commit: null,
      store: "/var/tmp/base",
    },
    wantsPatch: true,
    config: RunConfig.parse({ environment: { env: { PAGER: "cat" } } }),
    version: "0.1.0",
  };
}

export const promptEvent: EpisodeEvent = {
  type: "prompt",
  system: "You fix issues.",
  task: "<issue>\nThe area is wrong.\n</issue>",
};

export function call(id: string, command: string): ToolCall {
  return { id, name: "bash", input: { command } };
}

export function reply(step: number, content: string, calls: readonly ToolCall[]): EpisodeEvent {
  return {
    type: "reply",
    step,
    purpose: "act",
    message: { role: "assistant", content, calls },
    usage: { input: 1000, cached: 400, cacheWritten: 0, output: 50 },
    cost: 0.0025,
    stop: calls.length > 0 ? "calls" : "end",
    seconds: 1.5,
  };
}

export function observed(
  step: number,
  callId: string,
  output: string,
  rest: Partial<Observation> = {},
): EpisodeEvent {
  const exitCode = rest.exitCode ?? 0;
  return {
    type: "observation",
    step,
    callId,
    exitCode,
    timedOut: false,
    interrupted: false,
    background: false,
    output,
    totalBytes: output.length,
    leftOutBytes: 0,
    seconds: 0.25,
    content: `<returncode>${exitCode}</returncode>\n<output>\n${output}</output>`,
    ...rest,
  };
}

/** A whole small run: parallel calls, a malformed call, no call, a timeout, a submission. */
export function episodeEvents(run: string): readonly EpisodeEvent[] {
  const unparsed: ToolCall = {
    id: "c3",
    name: "bash",
    input: { unparsed: '{"command": "ls' },
    malformed: "its arguments are no JSON.",
  };
  return [
    beginEvent(run),
    { type: "notice", text: "2 files were left out of the copy." },
    promptEvent,
    reply(1, "Look at both.", [call("c1", "cat area.py"), call("c2", "cat missing.py")]),
    { type: "command", step: 1, callId: "c1", command: "cat area.py" },
    observed(1, "c1", "side = 2\n"),
    { type: "command", step: 1, callId: "c2", command: "cat missing.py" },
    observed(1, "c2", "cat: missing.py: No such file or directory\n", { exitCode: 1 }),
    reply(2, "List.", [unparsed]),
    {
      type: "format_error",
      step: 2,
      kind: "malformed",
      answers: [{ callId: "c3", content: "Not run: its arguments are no JSON." }],
    },
    reply(3, "I am done.", []),
    {
      type: "format_error",
      step: 3,
      kind: "no_call",
      answers: [{ callId: null, content: "Your reply held no call." }],
    },
    {
      type: "retry",
      purpose: "act",
      attempt: 1,
      of: 10,
      waitSec: 2,
      reason: "529 overloaded",
    },
    reply(4, "", [call("c4", "python serve.py")]),
    { type: "command", step: 4, callId: "c4", command: "python serve.py" },
    observed(4, "c4", "Serving\n", { exitCode: 124, timedOut: true, seconds: 60 }),
    reply(5, "Submit.", [call("c5", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")]),
    {
      type: "command",
      step: 5,
      callId: "c5",
      command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    },
    observed(5, "c5", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n"),
    { type: "submission", step: 5, text: "" },
    {
      type: "patch",
      source: "extraction",
      bytes: 88,
      files: ["area.py"],
      leftOut: [{ path: "scratch.py", reason: "scratch" }],
      applies: true,
    },
    { type: "end", status: "submitted", reason: "submitted at step 5", seconds: 75.5 },
  ];
}
