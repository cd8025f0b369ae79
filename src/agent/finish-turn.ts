import type { EpisodeEvent, Observation } from "../domain/episode.ts";
import { isRedacted } from "../domain/redact.ts";
import { type OpenTurn, openTurn } from "./open-turn.ts";
import { carryOut, type LoopEnd, type Seats, submitted, tell } from "./turn.ts";

/**
 * Does what an earlier process of the run left open: what is missing after an observation is made
 * up for, a call whose end nobody saw is answered as interrupted and not run again, those after it
 * are not run, and a turn that stopped between two calls goes on. Returns how the episode ended, or
 * null.
 */
export async function finishTurn(seats: Seats): Promise<LoopEnd | null> {
  const open = openTurn(seats.parts.past ?? []);
  if (open === null) return null;
  await finishObservation(seats, open);
  const { step, commands, answered, submission } = open;
  if (submission !== null) return submitted(step, submission);
  if (answered === commands.length) return null;
  // A command that held a secret is recorded without it, so it cannot be run from the record.
  const lacksSecret = commands.slice(answered).some(({ command }) => isRedacted(command));
  if (!open.interrupted && !lacksSecret) {
    return carryOut(seats, { ...open, done: answered, said: [] });
  }
  await answerAll(seats, open);
  return null;
}

async function finishObservation(seats: Seats, open: OpenTurn): Promise<void> {
  const { step, thought, commands, answered, unfinishedAt } = open;
  if (unfinishedAt === null) return;
  const observation = seats.parts.past?.[unfinishedAt];
  const call = commands[answered - 1];
  if (observation?.type !== "observation" || call === undefined) return;
  const more = answered < commands.length;
  await tell(seats, { step, thought, ...call, observation, more }, []);
}

/** Answers the calls of an interrupted turn that have no answer yet. */
async function answerAll(seats: Seats, open: OpenTurn): Promise<void> {
  const { step, thought, commands, answered, inFlight } = open;
  for (const [index, { callId, command, note }] of commands.entries()) {
    if (index < answered) continue;
    if (index === answered && inFlight) {
      const observation = unknownEnd(callId, note);
      const more = index < commands.length - 1;
      const seen: EpisodeEvent[] = [{ type: "observation", step, ...observation }];
      await tell(seats, { step, thought, callId, command, observation, more }, seen);
    } else {
      await seats.log.record({ type: "skipped", step, callId, content: notRun });
    }
  }
}

const notRun =
  "<exception>Not run: the run was interrupted within this turn. Send the command again if it is still wanted.</exception>";

/** 137 is what a shell reports for a command that was killed. */
function unknownEnd(callId: string, note: string | undefined): Observation {
  const output = "(nothing of its output was kept)";
  return {
    callId,
    exitCode: 137,
    timedOut: false,
    interrupted: true,
    background: false,
    output,
    totalBytes: 0,
    leftOutBytes: 0,
    seconds: 0,
    content: [
      "<returncode>137</returncode>",
      `<output>\n${output}\n</output>`,
      "<exception>Started, then the run was interrupted: whether and how far it ran is unknown. Check before you repeat it.</exception>",
      ...(note === undefined ? [] : [note]),
    ].join("\n"),
  };
}
