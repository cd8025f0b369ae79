import type { Verdict } from "../../domain/plan.ts";
import { type Share, shareOf } from "../replay-share.ts";
import type { Outcome } from "./outcome.ts";

/** Whether the reproduction script's last verdict tells what the grader found. */
export interface VerdictValidity {
  /** Of the resolved episodes with a verdict, those that passed. */
  readonly resolvedPass: Share;
  /** Of the unresolved ones. */
  readonly unresolvedPass: Share;
  /** Episodes without a verdict: no script, not run, or no answer. They stand in neither share. */
  readonly without: number;
}

/** arXiv:2608.06811: 18 of 20 resolved and 5 of 18 unresolved episodes had passed. */
export function verdictValidity(
  rows: readonly (Outcome & { readonly verdict?: Verdict | null })[],
): VerdictValidity {
  const judged = rows.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  const passing = (isResolved: boolean): Share => {
    const group = judged.filter(({ resolved }) => resolved === isResolved);
    return shareOf(group.filter(({ verdict }) => verdict === "pass").length, group.length);
  };
  return {
    resolvedPass: passing(true),
    unresolvedPass: passing(false),
    without: rows.length - judged.length,
  };
}
