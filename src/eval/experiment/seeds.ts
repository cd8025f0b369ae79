/** Seeds as people write them: `1-3`, `1,2,7`, `1-3,9`; null when it is none of these. */
export function parseSeeds(text: string): readonly number[] | null {
  const parts = text.split(",").map(rangeOf);
  return parts.includes(null) ? null : parts.flatMap((range) => range ?? []);
}

/** Our choice: a mistyped range must not make an experiment of millions of runs. */
const mostSeeds = 1000;

function rangeOf(part: string): readonly number[] | null {
  const [, from = "", to = from] = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(part) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (from === "" || length < 1 || length > mostSeeds) return null;
  return Array.from({ length }, (_, index) => Number(from) + index);
}
