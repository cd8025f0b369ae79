/** Seconds in one of each unit. */
export const seconds = new Map([
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["min", 60],
  ["s", 1],
  ["ms", 0.001],
]);
