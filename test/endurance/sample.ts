/** Everything, which takes minutes; else a sample, which takes seconds. */
const isWhole = process.env["PMCODER_ENDURANCE"] === "whole";

/** Every one of these, or every `nth`. */
export function sampled<T>(all: readonly T[], nth: number): readonly T[] {
  return isWhole ? all : all.filter((_, at) => at % nth === 0);
}

/** How many of something there are. */
export const howMany = (whole: number, sample: number): number => (isWhole ? whole : sample);
