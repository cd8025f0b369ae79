import type { ForeignEpisode } from "../../src/trajectories/foreign.ts";
import { episodeOf, type Told } from "../eval/episodes.ts";

/** Steps as public runs have them: a thought, a command, and a few thousand characters printed. */
export function longEpisode(steps: number): ForeignEpisode {
  return episodeOf(
    Array.from({ length: steps }, (_, n): Told => {
      const file = `src/part_${n % 25}.py`;
      return {
        commands: [
          n % 9 === 8 ? `sed -i s/${n}/${n + 1}/ ${file}` : `sed -n ${n},${n + 40}p ${file}`,
        ],
        thought: `I look at step ${n} of ${file}, because the value that is printed there is wrong.`,
        output: `    value_${n % 50} = compute(previous, ${n})  # ${"x".repeat(30)}\n`.repeat(40),
      };
    }),
    { instanceId: "long__run-1" },
  );
}
