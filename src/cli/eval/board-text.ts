import { dollars, duration } from "../../domain/quantities.ts";
import type { BatchEvent } from "../../eval/batch/batch-event.ts";
import type { Progress } from "../../eval/experiment/progress.ts";
import { type ProgressRow, tableOf } from "../../eval/experiment/progress-table.ts";
import { visible } from "../terminal-text.ts";
import { table } from "../text-table.ts";

const head = ["arm", "done", "running", "resolved", "failures", "given up", "money", "time left"];

/** How far each arm is, and all together. `now`: epoch ms. */
export function boardLines(progress: Progress, now: number): readonly string[] {
  return table(head, tableOf(progress, now).map(cellsOf));
}

function cellsOf(row: ProgressRow): readonly string[] {
  const { arm, jobs, done, running, graded, resolved, failures, givenUp, cost } = row;
  return [
    arm ?? "all",
    `${done}/${jobs}`,
    String(running),
    graded === 0 ? "–" : `${resolved}/${graded}`,
    String(failures),
    String(givenUp),
    dollars(cost),
    row.secondsLeft === null ? "–" : duration(Math.round(row.secondsLeft)),
  ];
}

type Ended = Extract<BatchEvent, { type: "ended" }>;

/** The line of a job that has come to its end and was graded, with the lines of its kind so far. */
export function endedLine(ended: Ended, resolved: boolean | null, sofar: string): string {
  const verdict = resolved === null ? "not graded" : resolved ? "resolved" : "not resolved";
  const { job, status, cost } = ended;
  return `${sofar}  ${job}  ${status}, ${verdict}  ${dollars(cost)}`;
}

/** The line of an event that people should see whether or not there is a table; null: none. */
export function remarkLine(event: BatchEvent): string | null {
  switch (event.type) {
    case "failed":
      return event.status === "interrupted"
        ? null
        : `${event.job}  failed (${event.status}): ${visible(event.reason)}`;
    case "given_up":
      return `${event.job}  given up; the same command tries it again`;
    case "note":
      return visible(event.text);
    default:
      return null;
  }
}
