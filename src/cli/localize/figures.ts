import { accuracyAt, type Located } from "../../experience/repomem/accuracy.ts";
import { table } from "../text-table.ts";

export interface Outcome extends Located {
  readonly instanceId: string;
  readonly repo: string;
}

/** Acc@1, 3 and 5 of these instances. */
export function figures(outcomes: readonly Outcome[]) {
  return {
    n: outcomes.length,
    acc_at_1: accuracyAt(1, outcomes),
    acc_at_3: accuracyAt(3, outcomes),
    acc_at_5: accuracyAt(5, outcomes),
  };
}

/** The same by repository, as a table. */
export function summary(outcomes: readonly Outcome[]): string {
  const repositories = [...new Set(outcomes.map(({ repo }) => repo))];
  const rowOf = (name: string, some: readonly Outcome[]) => {
    const { n, acc_at_1, acc_at_3, acc_at_5 } = figures(some);
    return [name, String(n), ...[acc_at_1, acc_at_3, acc_at_5].map((share) => share.toFixed(2))];
  };
  const rows = repositories.map((repo) =>
    rowOf(
      repo,
      outcomes.filter((outcome) => outcome.repo === repo),
    ),
  );
  const lines = table(
    ["repository", "n", "Acc@1", "Acc@3", "Acc@5"],
    [...rows, rowOf("all", outcomes)],
  );
  return `${lines.join("\n")}\n`;
}
