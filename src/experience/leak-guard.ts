import type { Denials } from "../domain/experience.ts";
import type { Origin } from "../domain/origin.ts";

/** What a source of memories may give beyond what none may. */
export interface GuardRules {
  /** Which repositories' memories: the target's own, all others', or both. */
  readonly repository: "same" | "other" | "any";
  /** Whose memories have to be earlier than the target. */
  readonly earlier: "all" | "same_repository" | "none";
  /** Whether what cannot be dated is kept back where it would have to be earlier. */
  readonly strict: boolean;
}

export type Denial =
  | "same_instance"
  | "same_issue"
  | "wrong_repository"
  | "unknown_date"
  | "not_earlier";

/** Why a memory may not be given for a target; null: it may. */
export function denialOf(rules: GuardRules, from: Origin, target: Origin): Denial | null {
  if (from.instanceId !== null && from.instanceId === target.instanceId) return "same_instance";
  if (from.issueKey === target.issueKey) return "same_issue";
  if (!isRightRepository(rules.repository, from, target)) return "wrong_repository";
  if (rules.earlier === "none") return null;
  if (rules.earlier === "same_repository" && isOtherRepository(from, target)) return null;
  if (from.createdAt === null || target.createdAt === null) {
    return rules.strict ? "unknown_date" : null;
  }
  return from.createdAt < target.createdAt ? null : "not_earlier";
}

/** Whether two names of repositories mean one; case does not tell them apart where they live. */
const isOne = (a: string, b: string) =>
  a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());

/** Two repositories that are known and differ. */
const isOtherRepository = (from: Origin, target: Origin) =>
  from.repo !== null && target.repo !== null && !isOne(from.repo, target.repo);

/** An unknown repository is neither the same as another nor another than it. */
function isRightRepository(rule: GuardRules["repository"], from: Origin, target: Origin): boolean {
  if (rule === "any") return true;
  if (rule === "other") return isOtherRepository(from, target);
  return from.repo !== null && target.repo !== null && isOne(from.repo, target.repo);
}

/** Asked once for each memory that a recall would look at, and counts what it keeps back. */
export class LeakGuard {
  readonly #rules: GuardRules;
  readonly #denied = new Map<Denial, number>();

  constructor(rules: GuardRules) {
    this.#rules = rules;
  }

  allow(from: Origin, target: Origin): boolean {
    const denial = denialOf(this.#rules, from, target);
    if (denial !== null) this.#denied.set(denial, (this.#denied.get(denial) ?? 0) + 1);
    return denial === null;
  }

  /** How many memories it kept back so far, by reason. */
  get denied(): Denials {
    return Object.fromEntries(this.#denied);
  }
}
