import { plural } from "../../domain/quantities.ts";
import type { EpisodeResult } from "../../eval/batch/episode-result.ts";
import type { EpisodeJob } from "../../eval/experiment/expand.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";
import type { Stop } from "./handler.ts";

/** How a batch stands when this process stops. */
export interface EvalEnd {
  readonly folder: string;
  /** Those that were selected. */
  readonly jobs: readonly EpisodeJob[];
  readonly results: ReadonlyMap<string, EpisodeResult>;
  /** Why no more jobs were taken; null: nothing stood in the way. */
  readonly stop: Stop | null;
}

type State = "done" | "interrupted" | Stop["why"];

/**
 * Tells how a batch ended. The exit status: 0 all is done · 1 episodes were given up, or something
 * that all need is broken · 3 the cap is reached · 130, 143 interrupted.
 */
export function tellEnd(end: EvalEnd, isJson: boolean, { io, interruption }: Session): ExitCode {
  const { jobs, results, stop, folder } = end;
  const ended = jobs.flatMap(({ id }) => results.get(id) ?? []);
  const givenUp = ended.filter((result) => result.givenUp).length;
  const left = jobs.length - ended.length;
  const signal = interruption.received();
  const state: State = signal !== undefined && left > 0 ? "interrupted" : (stop?.why ?? "done");
  const counts = { done: ended.length - givenUp, left, givenUp };
  if (isJson) io.stdout.write(`${JSON.stringify({ type: "end", state, ...counts, folder })}\n`);
  for (const line of linesOf(state, counts, end)) io.stderr.write(`${line}\n`);
  if (state === "interrupted") return signal === "SIGTERM" ? 143 : 130;
  if (state === "cap") return 3;
  return state === "broken" || givenUp > 0 ? 1 : 0;
}

interface Counts {
  readonly done: number;
  readonly left: number;
  readonly givenUp: number;
}

function linesOf(
  state: State,
  { done, left, givenUp }: Counts,
  { folder, stop }: Pick<EvalEnd, "folder" | "stop">,
): readonly string[] {
  const goOn = "The same command goes on from here.";
  return [
    ...(state === "interrupted" ? [`Interrupted, ${plural(left, "episode")} left. ${goOn}`] : []),
    ...(state === "cap" || state === "broken" ? [stop?.reason ?? ""] : []),
    ...(givenUp > 0
      ? [
          `${plural(givenUp, "episode")} given up, see failures.jsonl. The same command tries again.`,
        ]
      : []),
    `${plural(done, "result")} in ${folder}`,
  ];
}
