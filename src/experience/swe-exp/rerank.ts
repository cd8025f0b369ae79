import { z } from "zod";
import type { Message } from "../../domain/message.ts";
import type { Experience } from "./experience.ts";
import type { IssueType } from "./issue-type.ts";

/** An experience that may be used, by the name under which a model is shown it. */
export interface Candidate {
  readonly id: string;
  readonly score: number;
  readonly experience: Experience;
}

/** Ids with reasons, in the order in which the model wrote them. */
export const Ranking = z.record(z.string(), z.unknown());
export type Ranking = z.infer<typeof Ranking>;

/** Characters of one candidate's insights that the reranker is shown. Our choice. */
const insightChars = 600;

/** The reranker's question (SWE-Exp, 3.4.1; our words). */
export function rerankQuestion(
  issue: string,
  type: IssueType,
  candidates: readonly Candidate[],
  k: number,
): readonly Message[] {
  const shown = candidates.map(({ id, experience }) =>
    [
      `id: ${id}`,
      `  kind: ${experience.issue_type}`,
      `  shows itself: ${experience.description}`,
      `  insight: ${experience.perspective.join(" ").slice(0, insightChars)}`,
    ].join("\n"),
  );
  return [
    {
      role: "system",
      content: [
        "You are given an issue and experiences from other repositories. Pick those whose insight",
        "would really help with this issue: the same kind of cause counts, the same words do not.",
        `Pick at least one and at most ${k}, the most helpful first.`,
        "",
        "Answer with one JSON object and no other text, an entry for each that you pick:",
        '{"<id>": {"reason": "…"}}',
      ].join("\n"),
    },
    {
      role: "user",
      content: `The issue:\n${issue}\n\nIts kind: ${type.issue_type}. ${type.description}\n\nExperiences:\n\n${shown.join("\n\n")}`,
    },
  ];
}

/**
 * The candidates that a ranking names, at most `k`, in its order; what it names beside them is
 * dropped. If nothing is left, the nearest ones stand in.
 */
export function ranked<One extends Pick<Candidate, "id">>(
  ranking: Ranking | null,
  candidates: readonly One[],
  k: number,
): readonly One[] {
  const named = Object.keys(ranking ?? {}).flatMap(
    (id) => candidates.find((candidate) => candidate.id === id) ?? [],
  );
  return (named.length > 0 ? named : candidates).slice(0, k);
}
