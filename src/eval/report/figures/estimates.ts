import type { ContrastNumbers } from "../contrast-tables.ts";
import type { Figure } from "../document.ts";
import { none, percent, range, signed } from "../numerals.ts";
import { pairName } from "../pairs.ts";
import type { ArmNumbers } from "../resolved-table.ts";
import { type DotRow, dotRows } from "./dot-rows.ts";
import { percentTick } from "./frame.ts";

/** Shares that arms resolve; null: there is nothing to draw. `baseline` is drawn in grey. */
export function resolvedFigure(
  arms: readonly ArmNumbers[],
  baseline: string | null,
): Figure | null {
  const rows = arms.flatMap(({ arm, resolved, shown, runs }): readonly DotRow[] =>
    resolved === null || shown === null
      ? []
      : [
          {
            name: arm,
            told: percent(resolved.value),
            value: resolved.value,
            interval: shown,
            marks: runs.length === 1 ? [] : runs.map(({ resolved: { k, n } }) => k / n),
            isQuiet: arm === baseline,
          },
        ],
  );
  if (rows.length === 0) return null;
  const told = rows.map((row) => `${row.name} ${row.told} (${range(row.interval, percent)})`);
  return dotRows(
    {
      id: "figure-resolved",
      title: "Share of resolved instances",
      description: `Mean and 95 % interval by arm, small circles are single runs. ${told.join("; ")}.`,
    },
    rows,
    { say: percentTick, through: null },
  );
}

/** Differences of arms in instances, around zero; null: there is nothing to draw. */
export function differenceFigure(
  contrasts: readonly ContrastNumbers[],
  about: Pick<Figure, "id" | "title">,
): Figure | null {
  const rows = contrasts.flatMap(({ pair, total, runs }): readonly DotRow[] =>
    total === null
      ? []
      : [
          {
            name: pairName(pair),
            told: signed(total.value),
            value: total.value,
            interval: total.interval,
            marks: runs.length === 1 ? [] : runs.map(({ won, lost }) => won.length - lost.length),
            isQuiet: total.interval[0] <= 0 && total.interval[1] >= 0,
          },
        ],
  );
  if (rows.length === 0) return null;
  const told = rows.map((row) => `${row.name} ${row.told} (${range(row.interval, signed)})`);
  return dotRows(
    {
      ...about,
      description: `Difference in resolved instances with its 95 % interval, small circles are single runs; grey where the interval holds 0. ${told.join("; ") || none}.`,
    },
    rows,
    { say: signed, through: 0 },
  );
}
