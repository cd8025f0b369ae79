import type { IntegrityRecord, VerdictRecord } from "../domain/evidence.ts";
import type { Evidence } from "./state.ts";

/** What grounding found of one call; null: it did not look. */
export interface Found {
  readonly integrity: IntegrityRecord | null;
  readonly verdict: VerdictRecord | null;
}

/**
 * The evidence after a call: what grounding found of it, else what stood before. A tree that was
 * changed without being named anew, by writing scratch files, has no name; `isChange` says whether
 * the call may have changed it, and is asked only where that matters.
 */
export function evidenceAfter(
  before: Evidence,
  { integrity, verdict }: Found,
  isChange: () => boolean,
): Evidence {
  const kept = () => (before.tree !== null && isChange() ? null : before.tree);
  return {
    verdict: verdict?.verdict ?? before.verdict,
    checked: integrity?.checked ?? [],
    corrupt: integrity?.corrupt.map(({ file }) => file) ?? [],
    tree: verdict ? verdict.signature : kept(),
  };
}
