import { createHash } from "node:crypto";
import { patchLadders } from "../grading/eval-plan.ts";
import type { Generation } from "../grading/log-parsers.ts";

/** Everything that decides what a run of tests does, chance apart. */
export interface TestRunInputs {
  /** Stands for all that the place brings: the id of an image, or the name of a bundled tree. */
  readonly testbed: string;
  /** null: the tests are run on the base as it is. */
  readonly patch: string | null;
  readonly script: string;
  readonly generation: Generation;
}

/** Equal for two runs of tests that do the same: SHA-256, hex. */
export function testRunKey({ testbed, patch, script, generation }: TestRunInputs): string {
  const inputs = [testbed, patch, script, patchLadders[generation]];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
}
