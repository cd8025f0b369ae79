import type { Step } from "../domain/episode.ts";

type TrajectoryFormat =
  | "mini-swe-agent-1"
  | "mini-swe-agent-1.1"
  | "swe-agent"
  | "openhands"
  | "pmcoder-host";

/** What a call gave. */
export interface CallResult {
  readonly output: string;
  /** null: not recorded, or the command had not ended. 124 where a harness killed it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

export interface TurnCall {
  /** The provider's id, else `call_TURN_NUMBER`. */
  readonly id: string;
  /** A bash command. Other tools than bash are told as the command that would do the same. */
  readonly command: string;
  /** null: it never ran, or the record ends before its result. */
  readonly result: CallResult | null;
}

/** One assistant message and what came of it. */
export interface Turn {
  /** The n-th assistant message of the episode, from 1. */
  readonly index: number;
  /** What the reply says beside its calls. */
  readonly thought: string;
  /** The reply's text as the model wrote it, fenced commands included. */
  readonly content: string;
  /** Of a rejected turn: what it asked for, so that it can be classified; none of it ran. */
  readonly calls: readonly TurnCall[];
  /** Its harness answered with a format error and ran nothing. */
  readonly rejected: boolean;
}

/** An episode of another harness, or one of ours read back. */
export interface ForeignEpisode {
  readonly format: TrajectoryFormat;
  readonly instanceId: string | null;
  /** The issue alone where it can be told from the prompt around it. */
  readonly task: string;
  readonly model: string | null;
  /** Absolute path of the repository as its commands saw it; null: not recorded. */
  readonly workdir: string | null;
  /** In the harness's own words; null: not recorded. */
  readonly exitStatus: string | null;
  readonly submission: string | null;
  readonly turns: readonly Turn[];
  /** The file ends inside this episode: `turns` holds those that are complete. */
  readonly cut: boolean;
}

/** Where harnesses put the repository, for records that do not say. */
const usualRoot: Record<TrajectoryFormat, string> = {
  "mini-swe-agent-1": "/testbed",
  "mini-swe-agent-1.1": "/testbed",
  "swe-agent": "/testbed",
  openhands: "/workspace",
  "pmcoder-host": "/testbed",
};

/** Absolute path of an episode's repository, as its commands saw it. */
export function rootOf({ workdir, format }: Pick<ForeignEpisode, "workdir" | "format">): string {
  return workdir ?? usualRoot[format];
}

/**
 * A turn as steps, at least one: a step for each call that ran; otherwise one step without a result
 * whose command is all that the turn asked for, one after another, and empty if it asked for nothing.
 */
export function stepsOf(turn: Turn): readonly Step[] {
  const { index, thought, calls } = turn;
  const ran = calls.flatMap(({ command, result }) =>
    result === null ? [] : [{ index, thought, command, ...result }],
  );
  if (ran.length > 0) return ran;
  const command = calls.map((call) => call.command).join("\n");
  return [{ index, thought, command, output: "", exitCode: null, timedOut: false }];
}
