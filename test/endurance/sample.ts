/** Everything, which takes minutes; else a sample, which takes seconds. */
const isWhole = process.env["PMCODER_ENDURANCE"] === "whole";

/** Every so many of these: of all that there are, and of a sample. */
export function sampled<T>(all: readonly T[], every: number, inSample: number): readonly T[] {
  if (all.length === 0) throw new Error("there is nothing to take a sample of");
  return all.filter((_, at) => at % (isWhole ? every : inSample) === 0);
}

/** How many of something there are. */
export const howMany = (whole: number, sample: number): number => (isWhole ? whole : sample);
