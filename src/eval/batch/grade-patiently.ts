import type { Clock } from "../../domain/clock.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Grader, Grading, Submission } from "./grader.ts";

interface Patience {
  readonly grader: Grader;
  /** How often it is started again after it came to no verdict. */
  readonly gradingRetries: number;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
}

/**
 * A grading, tried again when it fails; the last failure is a grading without a verdict, so that a
 * broken grader costs no run. Rejects with PmcoderError `interrupted`, and `storage` as what writes.
 */
export async function gradePatiently(
  submission: Submission,
  { grader, gradingRetries, clock, signal }: Patience,
): Promise<Grading & { readonly seconds: number }> {
  const began = clock.now();
  for (let retries = gradingRetries; ; retries -= 1) {
    try {
      const grading = await grader.grade(submission, signal);
      return { ...grading, seconds: (clock.now() - began) / 1000 };
    } catch (error) {
      if (isFinal(error)) throw error;
      if (retries > 0) continue;
      const remark = error instanceof Error ? error.message : String(error);
      return { resolved: null, remark, seconds: (clock.now() - began) / 1000 };
    }
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof PmcoderError && ["interrupted", "storage"].includes(error.code);
}
