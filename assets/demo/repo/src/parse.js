import { seconds } from "./units.js";

const part = /(\d+(?:\.\d+)?)([a-z]+)/y;

/** The seconds that a text such as "1h30m" stands for. */
export function parse(text) {
  let total = 0;
  part.lastIndex = 0;
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [, amount, unit] = match;
    if (!seconds.has(unit)) throw new RangeError(`unknown unit "${unit}" in "${text}"`);
    total += Number(amount) * seconds.get(unit);
  }
  return total;
}
