import type { SubTask } from "../../../src/domain/plan.ts";

/** A sub-task with what a test does not care about filled in. */
export function subTask(fields: Pick<SubTask, "id" | "phase"> & Partial<SubTask>): SubTask {
  return {
    title: fields.id,
    keywords: [],
    files: [],
    recovery: null,
    terminal: false,
    status: "pending",
    skipped: false,
    evidence: 0,
    passed: 0,
    restored: [],
    failReason: null,
    ...fields,
  };
}
