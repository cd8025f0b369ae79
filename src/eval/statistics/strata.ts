import { compareNames, type Outcome } from "./outcome.ts";

/** The rows of some instances: whatever is asked of the table can be asked of them alone. */
export interface Stratum<Row> {
  readonly name: string;
  readonly instances: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * Instances by what all their rows together say of them, so that an instance lies in one stratum,
 * the same in each arm. Strata in order of `order`, then by name.
 */
export function strata<Row extends Outcome>(
  rows: readonly Row[],
  stratumOf: (rowsOfInstance: readonly Row[]) => string,
  order: readonly string[] = [],
): readonly Stratum<Row>[] {
  const byInstance = groupBy(rows, ({ instance }) => instance);
  const byStratum = groupBy([...byInstance], ([, own]) => stratumOf(own));
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...byStratum]
    .map(([name, members]) => ({
      name,
      instances: members.map(([instance]) => instance).sort(compareNames),
      rows: members.flatMap(([, own]) => own),
    }))
    .sort(
      (one, other) => place(one.name) - place(other.name) || compareNames(one.name, other.name),
    );
}

/** How long a fix takes people, as the rows of SWE-bench Verified say it. */
export const difficulties = ["<15 min fix", "15 min - 1 hour", "1-4 hours", ">4 hours"] as const;

/** Strata by the dataset's `difficulty` (arXiv:2608.06811, Table IV); "unknown" where no row has one. */
export function byDifficulty<Row extends Outcome & { readonly difficulty?: string | null }>(
  rows: readonly Row[],
): readonly Stratum<Row>[] {
  const known = (own: readonly Row[]) => own.find(({ difficulty }) => difficulty)?.difficulty;
  return strata(rows, (own) => known(own) ?? "unknown", difficulties);
}

/**
 * Instances with a reproduction script and those without. One armed row arms its instance: arms
 * without grounding never use the script.
 */
export function byArming<Row extends Outcome & { readonly armed?: boolean }>(
  rows: readonly Row[],
): readonly Stratum<Row>[] {
  const order = ["unarmed", "armed"];
  return strata(rows, (own) => (own.some(({ armed }) => armed) ? "armed" : "unarmed"), order);
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
