import type { Solve, SolveParts } from "../agent/loop.ts";
import { restoreBase } from "../agent/patch/restore.ts";
import { laySnapshot } from "../agent/patch/take-snapshot.ts";
import type { LoopEnd } from "../agent/turn.ts";
import { LimitReached, WorkflowRun } from "./workflow-run.ts";

/** A fixed order of questions and commands that ends with a patch, empty where it found none. */
export type Workflow = (run: WorkflowRun) => Promise<string>;

/** A workflow in the place of the observe-act loop. Its patch is laid on the repository at the end. */
export function solveBy(workflow: Workflow): Solve {
  return async (parts) => {
    const run = new WorkflowRun(parts);
    // A process that was killed may have left a candidate.
    await restoreBase(parts.errands, parts.base);
    try {
      const patch = await workflow(run);
      await lay(parts, patch);
      return submitted(run.steps, patch);
    } catch (error) {
      return await endEarly(parts, run, error);
    }
  };
}

function submitted(step: number, patch: string): LoopEnd {
  const end = { status: "submitted", reason: `submitted at step ${step}` } as const;
  return patch === "" ? end : { ...end, submission: Buffer.from(patch) };
}

/** Lays what there is. A limit is an end; whatever else the workflow failed with is thrown again. */
async function endEarly(parts: SolveParts, run: WorkflowRun, error: unknown): Promise<LoopEnd> {
  const laid = restoreBase(parts.errands, parts.base).then(() => lay(parts, run.proposal));
  if (error instanceof LimitReached) {
    await laid;
    return error.reached;
  }
  // Where the environment is lost, nothing can be laid, and that loss is what the user must see.
  await laid.catch(() => {});
  throw error;
}

async function lay({ errands, base }: SolveParts, patch: string): Promise<void> {
  await laySnapshot(errands, base, Buffer.from(patch));
}
