import type { EpisodeEvent } from "../domain/episode.ts";
import { understandNext } from "../substrate/command.ts";
import { evidenceAfter } from "../substrate/evidence.ts";
import { begin, observe } from "../substrate/observe.ts";
import {
  type Evidence,
  noEvidence,
  type ObservedStep,
  type SubstrateState,
} from "../substrate/state.ts";
import { adviceEvent, wantsAdvice } from "./advisor.ts";
import { foundIn } from "./grounding/found.ts";

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>;

export interface Rebuilt {
  readonly state: SubstrateState;
  /** What the environment has shown so far. */
  readonly evidence: Evidence;
  /** The advice as it was given, in order: what the record holds of it must be equal. */
  readonly advice: readonly EpisodeEvent[];
}

/**
 * The substrate as it stood after these events, from the events alone; null when the run had none.
 * `reproducer`: where the reproduction script lay, as commands named it.
 */
export function rebuild(
  events: readonly EpisodeEvent[],
  reproducer: string | null = null,
): Rebuilt | null {
  const begun = events.find((event) => event.type === "begin");
  if (!begun || !wantsAdvice(begun.config)) return null;
  let state = beginningOf(begun, events, reproducer);
  let evidence = noEvidence;
  const advice: EpisodeEvent[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type !== "observation" && event.type !== "format_error") continue;
    const step = stepOf(event, events.slice(0, index));
    const { command } = step;
    const mutates = () => command !== null && understandNext(state, command).action.mutating;
    evidence = evidenceAfter(evidence, foundIn(foundAfter(events, index)), mutates);
    const observed = observe(state, step, evidence);
    state = observed.state;
    const callId = event.type === "observation" ? event.callId : null;
    if (!step.more) advice.push(adviceEvent({ step: event.step }, callId, observed.advice));
  }
  return { state, evidence, advice };
}

function beginningOf(
  { config, task, environment }: Of<"begin">,
  events: readonly EpisodeEvent[],
  reproducer: string | null,
): SubstrateState {
  const files = events.find((event) => event.type === "listing")?.files ?? [];
  const plan = events.find((event) => event.type === "reply" && event.purpose === "decompose");
  const decomposition = plan?.type === "reply" ? plan.message.content : null;
  const root = environment.workdir;
  return begin(task, { config, root, files, decomposition, reproducer });
}

/** What the loop handed to the substrate for an event; `before`: the events that led to it. */
function stepOf(
  event: Of<"observation"> | Of<"format_error">,
  before: readonly EpisodeEvent[],
): ObservedStep {
  const { step: index } = event;
  const reply = before.findLast((earlier) => earlier.type === "reply" && earlier.purpose === "act");
  const message = reply?.type === "reply" ? reply.message : null;
  const thought = message?.content ?? "";
  if (event.type === "format_error") {
    const refused = { command: null, output: "", exitCode: null, timedOut: false, rejected: true };
    return { index, thought, ...refused, answers: event.answers.length };
  }
  const { callId, output, exitCode, timedOut } = event;
  const asked = before.findLast((earlier) => earlier.type === "command");
  const more = message?.calls.at(-1)?.id !== callId;
  const command = asked?.type === "command" ? asked.command : "";
  return { index, thought, command, output, exitCode, timedOut, more };
}

/** What grounding found of the call whose observation stands at `index`. */
function foundAfter(events: readonly EpisodeEvent[], index: number): readonly EpisodeEvent[] {
  const rest = events.slice(index + 1);
  const end = rest.findIndex(({ type }) => type === "command" || type === "reply");
  return end === -1 ? rest : rest.slice(0, end);
}
