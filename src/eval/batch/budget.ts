import type { Admission, Budget } from "../../domain/budget.ts";
import { mayStart } from "../experiment/budget.ts";
import type { Experiment } from "../experiment/experiment.ts";

interface Account {
  readonly spent: number;
  readonly isReserved: boolean;
}

/**
 * The budget of one process. `spent`: by each job so far, all earlier processes included; they are
 * known from the journal.
 */
export function memoryBudget(
  caps: Experiment["caps"],
  spent: ReadonlyMap<string, number> = new Map(),
): Budget {
  const accounts = new Map<string, Account>(
    [...spent].map(([job, sum]) => [job, { spent: sum, isReserved: false }]),
  );
  const admissionBeside = (others: readonly Account[], before: number) =>
    admissionOf(
      others.reduce((sum, account) => sum + account.spent, before),
      others.filter(({ isReserved }) => isReserved).length,
      caps,
    );
  return {
    admit: async (job, before) => {
      const others = [...accounts].filter(([name]) => name !== job).map(([, account]) => account);
      const admission = admissionBeside(others, before);
      if (admission === "yes") accounts.set(job, { spent: before, isReserved: true });
      return admission;
    },
    outlook: async () => admissionBeside([...accounts.values()], 0),
    settle: async (job, sum) => void accounts.set(job, { spent: sum, isReserved: false }),
  };
}

/** `spent`: by all ended runs; `running`: others under way. */
export function admissionOf(spent: number, running: number, caps: Experiment["caps"]): Admission {
  if (mayStart({ spent, running }, caps, false)) return "yes";
  return running > 0 ? "wait" : "never";
}
