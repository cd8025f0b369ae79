import type { Grade } from "./grade.ts";

interface Lists {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

/** What SWE-bench writes of an instance into `report.json`, under its id. */
export interface InstanceReport {
  readonly patch_is_None: boolean;
  readonly patch_exists: boolean;
  readonly patch_successfully_applied: boolean;
  readonly resolved: boolean;
  /** Since v5; true: the log was not counted, and the environment is at fault. */
  readonly infra_failure?: boolean;
  readonly infra_failure_reason?: string;
  readonly tests_status?: Readonly<
    Record<"FAIL_TO_PASS" | "PASS_TO_PASS" | "FAIL_TO_FAIL" | "PASS_TO_FAIL", Lists>
  >;
}

function infraFields({ generation, refusal, infraFailure }: Grade): Partial<InstanceReport> {
  if (generation === "v4") return {};
  if (refusal === null || !infraFailure) return { infra_failure: false };
  const { reason, tier } = infraFailure;
  return { infra_failure: tier === "environment", infra_failure_reason: reason };
}

/** The `report.json` of an instance whose patch was not empty. */
export function instanceReport(grade: Grade): Readonly<Record<string, InstanceReport>> {
  const lists = ({ success, failure }: Lists): Lists => ({ success, failure });
  const none: Lists = { success: [], failure: [] };
  const { tests } = grade;
  const report: InstanceReport = {
    patch_is_None: false,
    patch_exists: true,
    patch_successfully_applied: grade.refusal === null,
    resolved: grade.resolved,
    ...infraFields(grade),
    ...(tests && {
      tests_status: {
        FAIL_TO_PASS: lists(tests.FAIL_TO_PASS),
        PASS_TO_PASS: lists(tests.PASS_TO_PASS),
        FAIL_TO_FAIL: none,
        PASS_TO_FAIL: none,
      },
    }),
  };
  return { [grade.instanceId]: report };
}
