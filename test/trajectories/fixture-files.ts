import { readFileSync } from "node:fs";
import type { ForeignEpisode, Turn } from "../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";

const fixtures = new URL("../fixtures/trajectories/", import.meta.url);
export const textOf = (name: string) => readFileSync(new URL(name, fixtures), "utf8");

/** One recorded file of every format that is read. */
export const names = [
  "mini-v1.traj.json",
  "mini-v2.traj.json",
  "shapes__area-7.traj",
  "openhands.jsonl",
  "openhands-sdk.json",
  "openhands-rows.json",
];

export const read = (name: string) => readTrajectories(textOf(name), name);

/** A turn in one line: its number, its commands and how each ended. */
export function line({ index, rejected, calls }: Turn): string {
  const told = calls.map(({ command, result }) => {
    const status = result ? `${result.timedOut ? "time " : ""}${result.exitCode}` : "no result";
    return `${command.replaceAll("\n", "⏎")} → ${status}`;
  });
  return `${index}${rejected ? " rejected" : ""}: ${told.join(" | ") || "(nothing)"}`;
}

/** An episode without its turns, of its submission the first line. */
export function headOf({ turns: _turns, submission, ...head }: ForeignEpisode) {
  return { ...head, submission: submission?.split("\n")[0] ?? null };
}
