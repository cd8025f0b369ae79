import type { ExitStatus, RecordedEvent } from "../domain/episode.ts";
import type { Peek } from "../domain/peek.ts";
import type { Phase } from "../domain/phase.ts";
import { tallyOf } from "./tally.ts";

/** `summary.json`, keys in this order. */
export interface Summary {
  readonly run: string;
  readonly instance_id: string | null;
  readonly arm: string;
  readonly seed: number;
  readonly model: string;
  /** docker, bubblewrap or local. */
  readonly environment: string;
  readonly base: { readonly tree: string; readonly commit: string | null };
  readonly exit_status: ExitStatus | "running";
  /** Of the process; null while it runs. */
  readonly exit_code: number | null;
  /** Assistant turns. */
  readonly steps: number;
  readonly model_calls: { readonly act: number; readonly other: number };
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number };
  /** US dollars; null: a price is unknown. */
  readonly cost: number | null;
  /** From the first event to the newest, pauses before a resume included. */
  readonly seconds: number;
  /** Phases in the order they were entered, each with its number of steps. */
  readonly phases: readonly { readonly phase: Phase; readonly steps: number }[];
  readonly backtracks: number;
  /** Of the reproduction script, the latest. */
  readonly verdict: "pass" | "fail" | null;
  readonly injected: { readonly blocks: number; readonly tokens: number };
  readonly patch: {
    readonly path: string;
    readonly files: readonly string[];
    readonly bytes: number;
    readonly applies: boolean;
    readonly source: "extraction" | "submission";
  } | null;
  /** Commands that looked past the base, or fetched upstream code. */
  readonly guard: readonly Peek[];
  /** The database that holds the events. */
  readonly db: string;
}

/** What is not read from the events here. Paths are absolute. */
export interface SummaryPlaces {
  /** Of the process; null while it runs. */
  readonly exitCode: number | null;
  readonly patchPath: string;
  readonly guard: readonly Peek[];
  readonly db: string;
}

/** A run in one object: while it runs, once it has ended, and after it was killed. */
export function summaryOf(events: readonly RecordedEvent[], places: SummaryPlaces): Summary {
  const tally = tallyOf(events);
  const { begin, end, patch, calls, tokens, cost, seconds } = tally;
  return {
    run: begin.run,
    instance_id: begin.instanceId,
    arm: begin.arm,
    seed: begin.config.seed,
    model: begin.model,
    environment: begin.environment.kind,
    base: { tree: begin.base.tree, commit: begin.base.commit },
    exit_status: end?.status ?? "running",
    exit_code: end ? places.exitCode : null,
    steps: calls.act,
    model_calls: calls,
    tokens,
    cost,
    seconds,
    phases: tally.phases,
    backtracks: tally.backtracks,
    verdict: tally.verdict,
    injected: tally.injected,
    patch: patch && {
      path: places.patchPath,
      files: patch.files,
      bytes: patch.bytes,
      applies: patch.applies,
      source: patch.source,
    },
    guard: places.guard,
    db: places.db,
  };
}
