import type { WorkflowRun } from "../workflow-run.ts";
import { askUntil, Complaint } from "./conversation.ts";
import { type PatchContext, review, type TriedPatch } from "./patch-prompts.ts";
import { numbersIn } from "./replies.ts";

/** Indices of candidates, from 0. */
export interface Judgement {
  /** All of them, the best first. */
  readonly ranking: readonly number[];
  readonly correct: readonly number[];
}

/** Ranks candidates; what cannot be read leaves them in their order, and none correct. */
export async function judge(
  run: WorkflowRun,
  context: PatchContext,
  candidates: readonly TriedPatch[],
): Promise<Judgement> {
  const { tries } = run.config.workflow.experepair;
  const messages = review(run, context, candidates);
  const count = candidates.length;
  const asked = { purpose: "review", messages, tries } as const;
  const read = await askUntil(run, asked, (reply) => readReview(reply, count));
  return read ?? { ranking: candidates.map((_, index) => index), correct: [] };
}

/** A review of `count` candidates. Those that its ranking leaves out come last, in their order. */
export function readReview(reply: string, count: number): Judgement | Complaint {
  const ranking = numbersIn(reply, "ranking", count);
  const correct = numbersIn(reply, "correct", count);
  if (ranking === null || correct === null) {
    return new Complaint("it does not hold <ranking> and <correct> with numbers between commas");
  }
  const ranked = ranking.map((n) => n - 1);
  const rest = Array.from({ length: count }, (_, index) => index).filter(
    (i) => !ranked.includes(i),
  );
  return { ranking: [...ranked, ...rest], correct: correct.map((n) => n - 1) };
}
