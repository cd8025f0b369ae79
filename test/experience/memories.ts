import type { NewMemory } from "../../src/domain/bank.ts";

/** A memory of which only the given parts matter; `issue` and `repo` go into where it is from. */
export function memoryOf(
  parts: Partial<NewMemory> & { readonly repo?: string | null; readonly issue?: string },
): NewMemory {
  const { repo = "sympy/sympy", issue = "printing a matrix fails", ...rest } = parts;
  return {
    system: "experepair",
    kind: "rep",
    from: { instanceId: `instance of ${issue}`, repo, issue, createdAt: 1_600_000_000_000 },
    payload: null,
    labels: [],
    terms: {},
    learnedFrom: "a run",
    ...rest,
  };
}
