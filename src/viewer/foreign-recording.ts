import type { RunConfig } from "../domain/config/run-config.ts";
import type { ObservedStep } from "../substrate/state.ts";
import {
  type ForeignEpisode,
  rootOf,
  stepsOf,
  type Turn,
  type TurnCall,
} from "../trajectories/foreign.ts";
import type { RecordedCall, RecordedTurn, Recording } from "./recording.ts";

/** An episode of a trajectory file; plan and memory are replayed under `config`. */
export function foreignRecording(episode: ForeignEpisode, config: RunConfig): Recording {
  const { instanceId, task, model, format, exitStatus, submission, turns, cut } = episode;
  return {
    source: "trajectory",
    instanceId,
    task,
    model,
    arm: format,
    status: exitStatus,
    reason: null,
    activity: null,
    turns: turns.map(turnOf),
    search: null,
    notices: cut ? ["The file ends inside this episode: what is complete is shown."] : [],
    patch: null,
    submission,
    cost: null,
    tokens: null,
    seconds: null,
    startedAt: null,
    advised: false,
    options: { config, root: rootOf(episode) },
    cut,
  };
}

function turnOf(turn: Turn): RecordedTurn {
  const { index, thought, calls, rejected } = turn;
  return {
    index,
    stage: null,
    thought,
    calls: calls.map(callOf),
    refusal: rejected ? "Its harness rejected this reply and ran nothing of it." : null,
    cost: null,
    modelSeconds: null,
    retries: [],
    advice: null,
    experience: null,
    complete: true,
    observed: observedOf(turn),
  };
}

function callOf({ command, result }: TurnCall): RecordedCall {
  const outcome = result && { ...result, interrupted: false, seconds: null, leftOutBytes: 0 };
  return { command, outcome, integrity: null, verdict: null };
}

function observedOf(turn: Turn): RecordedTurn["observed"] {
  const { calls, rejected } = turn;
  const ran = calls.flatMap(({ result }, place) => (result === null ? [] : [place]));
  return stepsOf(turn).map((step, at, all) => {
    const command = calls.length === 0 ? null : step.command;
    const observed: ObservedStep = { ...step, command, more: at < all.length - 1, rejected };
    return { step: observed, call: ran[at] ?? null };
  });
}
