import { seconds } from "./units.js";

const shown = ["d", "h", "m", "s"];

/** Seconds as the shortest text that parse() reads back. */
export function format(total) {
  const parts = [];
  let rest = Math.round(total);
  for (const unit of shown) {
    const count = Math.floor(rest / seconds.get(unit));
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * seconds.get(unit);
  }
  return parts.length > 0 ? parts.join(" ") : "0s";
}
