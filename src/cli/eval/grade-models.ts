import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import { gradePatiently } from "../../eval/batch/grade-patiently.ts";
import type { Grading } from "../../eval/batch/grader.ts";
import { type HarnessParts, harnessGrader, scriptOf } from "../../eval/harness/harness-grader.ts";
import { regrade } from "../../eval/harness/keep-grading.ts";
import { instanceFolder } from "../../eval/harness/layout.ts";
import { recordIn, standingRecord } from "../../eval/harness/stored-run.ts";
import { inParallel } from "./grade-parallel.ts";
import type { GradedInstance, GradedModel, GradingSource, TimedGrading } from "./grade-source.ts";

/** A prediction with all that its grading needs. */
export interface GradedItem extends GradedInstance {
  readonly model: GradedModel;
  readonly instance: string;
  readonly patch: string;
  /** Of its logs and report. */
  readonly folder: string;
}

export interface ToldGrading {
  readonly item: GradedItem;
  readonly grading: TimedGrading;
  /** It was made by this process. */
  readonly isNew: boolean;
}

export interface GradeParts {
  readonly source: GradingSource;
  readonly harness: HarnessParts;
  /** Test runs at once. */
  readonly workers: number;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
  readonly tell: (told: ToldGrading) => void;
}

/** The predictions of all models, instance by instance, so that an image is needed in one stretch. */
export function itemsOf(
  { folder, instances, models }: GradingSource,
  isWanted: (instance: string) => boolean,
): readonly GradedItem[] {
  return [...instances].flatMap(([instance, about]) =>
    models.flatMap((model) => {
      const made = model.predictions.find(({ instance_id: id }) => id === instance);
      if (!made || !isWanted(instance)) return [];
      const { runId, model: name } = model;
      const place = instanceFolder(folder, { runId, model: name, instance });
      return [{ ...about, model, instance, patch: made.model_patch, folder: place }];
    }),
  );
}

/** Splits off what is known already: empty patches, and gradings that still hold. */
export function restore(
  items: readonly GradedItem[],
  holds: (item: GradedItem) => TimedGrading | null,
  tell: GradeParts["tell"],
): readonly GradedItem[] {
  return items.filter((item) => {
    const known = item.patch === "" ? emptyPatch : holds(item);
    if (known === null) return true;
    const { resolved, remark, seconds, grader, generation }: TimedGrading = known;
    tell({ item, grading: { resolved, remark, seconds, grader, generation }, isNew: false });
    return false;
  });
}

const emptyPatch = { resolved: false, remark: "the patch is empty", seconds: 0 } as const;

/** Grades what is not graded yet. Rejects with PmcoderError `interrupted`, and `storage`. */
export async function gradeItems(items: readonly GradedItem[], parts: GradeParts): Promise<void> {
  const { source, harness, workers, clock, signal, tell } = parts;
  const { generation } = source;
  const left = restore(
    items,
    ({ folder, patch, row, model, instance }) =>
      recordIn(folder) === null
        ? source.known(model, instance)
        : standingRecord(folder, { patch, script: scriptOf(row), generation }),
    tell,
  );
  const grader = harnessGrader(harness);
  const patience = watchForBreakdown();
  await inParallel(left, workers, async (item) => {
    if (patience.isOver()) return;
    const { model, instance, folder, row, repository, patch } = item;
    const submission = { id: instance, runId: model.runId, row, repository, patch, folder };
    const patiently = { grader, gradingRetries: source.retries, clock, signal };
    const grading = await gradePatiently(submission, patiently);
    patience.see(grading);
    tell({ item, grading, isNew: true });
  });
}

/** Gradings in a row without a verdict after which what they all need must be broken. Our choice. */
const limit = 5;

function watchForBreakdown() {
  let inRow = 0;
  return {
    see: ({ resolved }: Grading) => {
      inRow = resolved === null ? inRow + 1 : 0;
    },
    isOver: () => inRow >= limit,
  };
}

/** Judges the stored logs again. What has none comes to no verdict. Rejects as `gradeItems` does. */
export async function regradeItems(
  items: readonly GradedItem[],
  { harness, signal, tell }: Pick<GradeParts, "harness" | "signal" | "tell">,
): Promise<void> {
  for (const item of restore(items, () => null, tell)) {
    // Thousands of logs take a minute, in which a signal should be heard.
    await setImmediate();
    signal.throwIfAborted();
    const grading = regrade({ row: item.row, folder: item.folder }, harness);
    const found = grading ?? { resolved: null, remark: "there is no log of its tests" };
    tell({ item, grading: { ...found, seconds: 0 }, isNew: true });
  }
}
