import type { EpisodeEvent, Observation } from "../domain/episode.ts";
import type { SubstrateState } from "../substrate/state.ts";
import type { Turn } from "./advisor.ts";
import { observe } from "./observation.ts";
import type { Command } from "./tools.ts";
import type { Seats } from "./turn.ts";

/** A command that is about to run, as far as whoever decides on it may look. */
export interface Moment extends Turn, Command {
  /** Plan and memory as they stand; null: neither is on. */
  readonly state: SubstrateState | null;
  /** Why the agent counted as stuck after the call before; null: it did not. */
  readonly stuck: string | null;
  /** Runs a command of the user's own before it; the model is told of that. */
  readonly runFirst: (command: string) => Promise<Observation>;
}

/** What becomes of a command. `command`: what is run, the model's own or another in its place. */
export type Decision =
  | { readonly type: "run"; readonly command: string }
  | { readonly type: "refuse" | "skip" };

/** Asked before each command. What it rejects with ends the loop. */
export type Decide = (moment: Moment) => Promise<Decision>;

interface Consulted {
  readonly decision: Decision;
  /** What the user did, for the end of the tool result; null: nothing that the model must know. */
  readonly note: string | null;
  /** Of the events that were to be recorded, those that still are. */
  readonly unrecorded: readonly EpisodeEvent[];
}

/**
 * What becomes of a call. Somebody who is asked may take long, so what was said is made sure of
 * first; where nobody is, the command runs as it is.
 */
export async function consult(
  seats: Seats,
  call: Turn & Command,
  unsaid: readonly EpisodeEvent[],
): Promise<Consulted> {
  const { decide } = seats.parts;
  const { command } = call;
  if (decide === undefined) {
    return { decision: { type: "run", command }, note: null, unrecorded: unsaid };
  }
  await seats.log.record(...unsaid);
  const notes: string[] = [];
  const runFirst = async (own: string) => {
    const observation = await runOwn(seats, own);
    const { exitCode } = observation;
    notes.push(`Before it, the user ran a command of their own, with status ${exitCode}:\n${own}`);
    return observation;
  };
  const { state = null, stuck = null } = seats.advisor ?? {};
  const decision = await decide({ ...call, state, stuck, runFirst });
  if (decision.type === "run" && decision.command !== command) {
    notes.push(`The user ran another command in place of yours:\n${decision.command}`);
  }
  const note = notes.map((text) => `<note>${text}</note>`).join("\n");
  return { decision, note: note || null, unrecorded: [] };
}

/** It is the user's, so neither plan nor memory takes it for the agent's. */
async function runOwn({ parts, log }: Seats, command: string): Promise<Observation> {
  const { environment, config, signal } = parts;
  await log.record({ type: "notice", text: `The user runs: ${command}` });
  const timeoutSec = config.environment.commandTimeoutSec;
  const result = await environment.execute(command, { timeoutSec, signal, errand: true });
  return observe("", result, { ...config.agent, timeoutSec });
}
