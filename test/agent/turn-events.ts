import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import { replyOf, type Scripted } from "../scripted-model.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>;

/** Events of an episode as tests write them; call k of turn n is `call-n-k`. */
export const callId = (step: number, call = 1): string => `call-${step}-${call}`;

export function replied(step: number, scripted: Scripted): Of<"reply"> {
  const { message, usage, stop } = replyOf(scripted, step);
  return { type: "reply", step, purpose: "act", message, usage, cost: 0, stop, seconds: 0 };
}

export function started(step: number, call: number, command: string): Of<"command"> {
  return { type: "command", step, callId: callId(step, call), command };
}

export function observed(
  step: number,
  call = 1,
  change: Partial<Of<"observation">> = {},
): Of<"observation"> {
  return {
    type: "observation",
    step,
    callId: callId(step, call),
    exitCode: 0,
    timedOut: false,
    interrupted: false,
    background: false,
    output: "",
    totalBytes: 0,
    leftOutBytes: 0,
    seconds: 0,
    content: `result of ${callId(step, call)}`,
    ...change,
  };
}

export function advised(step: number, call = 1): Of<"advice"> {
  return {
    type: "advice",
    step,
    callId: callId(step, call),
    block: null,
    hint: null,
    phase: null,
    policyPhase: null,
    subTask: null,
    done: 0,
    total: 0,
    backtrack: false,
    stuck: null,
    retrieved: [],
  };
}

export const saved = (step: number, tree: string, bytes = 1, call = 1): Of<"snapshot"> => ({
  type: "snapshot",
  step,
  callId: callId(step, call),
  tree,
  bytes,
});

export const checking = (step: number, call = 1): Of<"check"> => ({
  type: "check",
  step,
  callId: callId(step, call),
  signature: "tree",
});

export function judged(step: number, verdict: Of<"verdict">["verdict"], call = 1): Of<"verdict"> {
  const known = { signature: "tree", cached: false, exitCode: 0, seconds: 0, tail: "", note: null };
  return { type: "verdict", step, callId: callId(step, call), verdict, ...known };
}

/** As a journal gives them back. */
export const recorded = (events: readonly EpisodeEvent[]): readonly RecordedEvent[] =>
  events.map((event, seq) => ({ ...event, run: "r", seq, at: 0 }));
