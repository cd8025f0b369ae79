import { RunConfig } from "../../src/domain/config/run-config.ts";
import { type Replay, replayEpisode } from "../../src/eval/replay.ts";
import type { ForeignEpisode, Turn } from "../../src/trajectories/foreign.ts";

/** A turn by what it ran; null: it held no call. */
export interface Told {
  readonly commands: readonly string[] | null;
  readonly output?: string;
  readonly exitCode?: number | null;
  readonly rejected?: boolean;
  readonly thought?: string;
}

function turnOf(told: string | Told, index: number): Turn {
  const {
    commands,
    output = "",
    exitCode = 0,
    rejected = false,
    thought = "",
  } = typeof told === "string" ? { commands: [told] } : told;
  const result = rejected ? null : { output, exitCode, timedOut: false };
  return {
    index,
    thought,
    content: thought,
    rejected,
    calls: (commands ?? []).map((command, at) => ({ id: `c${index}_${at}`, command, result })),
  };
}

export function episodeOf(
  told: readonly (string | Told)[],
  fields: Partial<ForeignEpisode> = {},
): ForeignEpisode {
  return {
    format: "mini-swe-agent-1",
    instanceId: "shapes__area-7",
    task: "`area` of a square is wrong.",
    model: null,
    workdir: "/testbed",
    exitStatus: null,
    submission: null,
    cut: false,
    ...fields,
    turns: told.map((one, at) => turnOf(one, at + 1)),
  };
}

export const fullConfig = RunConfig.parse({});

export function replayOf(
  told: readonly (string | Told)[],
  fields: Partial<ForeignEpisode> = {},
  config: RunConfig = fullConfig,
): Replay {
  return replayEpisode(episodeOf(told, fields), { config, now: () => 0 });
}

export const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff";
