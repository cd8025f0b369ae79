import { widthOf } from "./terminal-text.ts";

/** Columns side by side: the first to the left, as it names the row, the others to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => widthOf(row[at] ?? ""))));
  return all.map((row) =>
    widths
      .map((width, at) => {
        const cell = row[at] ?? "";
        const room = " ".repeat(width - widthOf(cell));
        return at === 0 ? `${cell}${room}` : `${room}${cell}`;
      })
      .join("  ")
      .trimEnd(),
  );
}
