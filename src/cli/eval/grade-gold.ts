import { gradePatiently } from "../../eval/batch/grade-patiently.ts";
import type { Grader } from "../../eval/batch/grader.ts";
import { examiner, harnessGrader, scriptOf } from "../../eval/harness/harness-grader.ts";
import { instanceFolder } from "../../eval/harness/layout.ts";
import { standingRecord } from "../../eval/harness/stored-run.ts";
import type { GradeParts } from "./grade-models.ts";
import { inParallel } from "./grade-parallel.ts";
import type { GradedInstance, GradedModel, TimedGrading } from "./grade-source.ts";

/** A grader is sound where the first resolves and the second does not. */
const probes = ["gold", "untouched"] as const;
type Probe = (typeof probes)[number];

export interface ProbedInstance {
  readonly instance: string;
  readonly probe: Probe;
  readonly grading: TimedGrading;
  readonly isSound: boolean;
}

interface GoldParts extends Omit<GradeParts, "tell"> {
  readonly isWanted: (instance: string) => boolean;
  readonly tell: (probed: ProbedInstance) => void;
}

/**
 * Checks grader and instances: an instance's own patch must resolve it, and its base as it is must
 * not. Resolves with all of them; rejects as grading does.
 */
export async function probeInstances(parts: GoldParts): Promise<readonly ProbedInstance[]> {
  const { source, workers, isWanted, tell } = parts;
  const wanted = [...source.instances].filter(([instance]) => isWanted(instance));
  const pairs = wanted.flatMap(([instance, about]) =>
    probes.map((probe) => ({ instance, about, probe })),
  );
  const graders = gradersOf(parts);
  const probed = new Map<object, ProbedInstance>();
  await inParallel(pairs, workers, async (pair) => {
    const { instance, about, probe } = pair;
    const grading = await probeOne(about, probe, graders[probe], parts);
    const isSound = grading.resolved === (probe === "gold");
    const one = { instance, probe, grading, isSound };
    probed.set(pair, one);
    if (probe === "gold") source.keepGold(instance, grading);
    tell(one);
  });
  return pairs.flatMap((pair) => probed.get(pair) ?? []);
}

function gradersOf({ harness }: Pick<GoldParts, "harness">): Readonly<Record<Probe, Grader>> {
  const gold = harnessGrader(harness);
  const examine = examiner(harness);
  return {
    gold,
    untouched: {
      version: gold.version,
      grade: (submission, signal) => examine({ ...submission, patch: null }, signal),
    },
  };
}

async function probeOne(
  { row, repository }: GradedInstance,
  probe: Probe,
  grader: Grader,
  { source, clock, signal }: GoldParts,
): Promise<TimedGrading> {
  const { folder: root, goldRunId: runId, generation, retries: gradingRetries } = source;
  const { instance_id: instance } = row;
  const patch = probe === "gold" ? (row.patch ?? "") : "";
  const folder = instanceFolder(root, { runId, model: probe, instance });
  const known = standingRecord(folder, { patch, script: scriptOf(row), generation });
  if (known !== null) return known;
  const submission = { id: `${probe}/${instance}`, runId, row, repository, patch, folder };
  return gradePatiently(submission, { grader, gradingRetries, clock, signal });
}

/** The gold patches as predictions, for the official report. */
export function goldModel(
  { goldRunId: runId, instances }: GoldParts["source"],
  isWanted: (instance: string) => boolean,
): GradedModel {
  const rows = [...instances].filter(([instance]) => isWanted(instance));
  return {
    runId,
    model: "gold",
    predictions: rows.map(([instance_id, { row }]) => ({
      instance_id,
      model_name_or_path: "gold",
      model_patch: row.patch ?? "",
    })),
  };
}
