import type { NewMemory } from "../../src/domain/bank.ts";
import type { IssueIdentity, Stage } from "../../src/domain/experience.ts";
import { type RepairText, toBank } from "../../src/experience/repair-memory.ts";

interface IssueGiven {
  readonly issue?: string;
  readonly repo?: string | null;
  /** Of January 2026. */
  readonly day?: number | null;
}

/** An issue of the repository `team/project`, from the first of January unless said otherwise. */
export function issue(instanceId: string, given: IssueGiven = {}): IssueIdentity {
  const { issue: text = `issue ${instanceId}`, repo = "team/project", day = 1 } = given;
  const createdAt = day === null ? null : Date.UTC(2026, 0, day);
  return { instanceId, repo, issue: text, createdAt };
}

/** What a resolved issue taught, as the bank takes it; only what matters is given. */
export function repairMemory(
  stage: Stage,
  from: IssueIdentity,
  text: Partial<RepairText> = {},
): NewMemory {
  const memory = {
    repairType: "GenericError",
    retrievedContext: "src/a.py",
    failedAttempt: "",
    failureFeedback: "",
    artifact: `work of ${from.instanceId}`,
    successfulOutput: "ok",
    outcome: { reproduced: true, patchApplied: true, verified: true },
    ...text,
  };
  return toBank({ stage, from, ...memory }, `${from.instanceId}.traj.json`);
}
