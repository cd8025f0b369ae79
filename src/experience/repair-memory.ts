import { createHash } from "node:crypto";
import { z } from "zod";
import type { Memory, NewMemory } from "../domain/bank.ts";
import { type IssueIdentity, type Stage, stages } from "../domain/experience.ts";
import { tokensOf } from "../substrate/memory/text.ts";
import { words } from "./tokenize.ts";
import { reduceTraceback } from "./traceback.ts";

const Outcome = z.object({
  /** A run of the episode showed the issue. */
  reproduced: z.boolean(),
  /** It left a patch. */
  patchApplied: z.boolean(),
  /** The issue counts as resolved. */
  verified: z.boolean(),
});

/** What a repair of another issue taught about one stage (AdaRepair-Mem, arXiv:2609.20130, Fig. 8). */
const RepairText = z.object({
  /** An exception class, or GenericError. */
  repairType: z.string(),
  /** Files and places that were looked at. */
  retrievedContext: z.string(),
  /** The script or patch that `artifact` replaced; empty: it replaced none. */
  failedAttempt: z.string(),
  /** What that attempt gave. */
  failureFeedback: z.string(),
  /** A test, a list of files, or a patch. */
  artifact: z.string(),
  /** What running the artifact gave, or the check after it. */
  successfulOutput: z.string(),
  outcome: Outcome,
});
export type RepairText = z.infer<typeof RepairText>;

export interface RepairMemory extends RepairText {
  readonly stage: Stage;
  readonly from: IssueIdentity;
}

/** Fields that are searched (ExpeRepair and AdaRepair-Mem weigh them by stage). */
export type RepairField = "issue" | "failed" | "feedback" | "artifact";

/**
 * The admission rule of a stage, A_s in Algorithm 1 of arXiv:2609.20130, which leaves it open. Our
 * choice: what the stage could not be shown without.
 */
const admits: Readonly<Record<Stage, (text: RepairText) => boolean>> = {
  rep: ({ outcome }) => outcome.reproduced,
  loc: ({ outcome, retrievedContext }) => outcome.verified && retrievedContext !== "",
  gen: ({ outcome }) => outcome.patchApplied,
  ref: ({ failureFeedback, successfulOutput }) => failureFeedback !== "" && successfulOutput !== "",
  val: () => true,
};

function isAdmitted({ stage, ...text }: RepairText & { readonly stage: Stage }): boolean {
  return text.artifact !== "" && admits[stage](text);
}

/** Tokens of all that a memory tells. */
export function lengthOf(memory: Pick<RepairMemory, "from"> & RepairText): number {
  const { from, retrievedContext, failedAttempt, failureFeedback, artifact, successfulOutput } =
    memory;
  return [
    from.issue,
    retrievedContext,
    failedAttempt,
    failureFeedback,
    artifact,
    successfulOutput,
  ].reduce((sum, text) => sum + tokensOf(text), 0);
}

/** Equal for memories that tell the same of the same issue. */
function contentHash({ from, artifact }: Pick<RepairMemory, "from" | "artifact">): string {
  return createHash("sha256")
    .update(JSON.stringify([from.issue, artifact]))
    .digest("hex");
}

/** What a recall chooses by: names alone, or `name:value`. */
export const label = {
  admitted: "admitted",
  verified: "verified",
  reproduced: "reproduced",
  applied: "applied",
  /** It replaced an attempt that had failed. */
  corrects: "corrects",
  type: (repairType: string) => `type:${repairType}`,
  content: (hash: string) => `content:${hash}`,
} as const;

function labelsOf(memory: RepairMemory): readonly string[] {
  const { outcome, failedAttempt, repairType } = memory;
  const said = (holds: boolean, name: string) => (holds ? [name] : []);
  return [
    ...said(isAdmitted(memory), label.admitted),
    ...said(outcome.verified, label.verified),
    ...said(outcome.reproduced, label.reproduced),
    ...said(outcome.patchApplied, label.applied),
    ...said(failedAttempt !== "", label.corrects),
    label.type(repairType),
    label.content(contentHash(memory)),
  ];
}

/** A memory as the bank takes it: ExpeRepair and AdaRepair-Mem recall from the same ones. */
export function toBank(memory: RepairMemory, learnedFrom: string): NewMemory {
  const { stage, from, ...text } = memory;
  const { repairType, retrievedContext, failedAttempt, failureFeedback } = text;
  const { artifact, successfulOutput, outcome } = text;
  return {
    system: "experepair",
    kind: stage,
    from,
    payload: {
      repairType,
      retrievedContext,
      failedAttempt,
      failureFeedback,
      artifact,
      successfulOutput,
      outcome: { ...outcome },
    },
    labels: labelsOf(memory),
    terms: {
      issue: words(from.issue),
      failed: words(failedAttempt),
      feedback: words(reduceTraceback(failureFeedback)),
      artifact: words(artifact),
    } satisfies Record<RepairField, readonly string[]>,
    learnedFrom,
  };
}

/** A memory of the bank; null: it is of another kind, or another version wrote it. */
export function fromBank({ kind, from, payload }: Pick<Memory, "kind" | "from" | "payload">) {
  const stage = stages.find((one) => one === kind);
  const { data } = RepairText.safeParse(payload);
  return stage === undefined || data === undefined ? null : { stage, from, ...data };
}

/** The first exception class that an issue names, else GenericError (AdaRepair-Mem's repair type). */
export function repairTypeOf(issue: string): string {
  return /\b[A-Z][A-Za-z0-9]*(?:Error|Exception)\b/.exec(issue)?.[0] ?? "GenericError";
}
