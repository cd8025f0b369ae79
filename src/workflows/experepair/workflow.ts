import type { Workflow } from "../solve-by.ts";
import { firstCandidates, refinedCandidates, variantsOf, type Workbench } from "./candidates.ts";
import { sections, tagged } from "./conversation.ts";
import { locate } from "./locate.ts";
import type { TriedPatch } from "./patch-prompts.ts";
import { type Reproduction, reproduce } from "./reproduce.ts";
import { judge } from "./review.ts";
import { selectPatch } from "./validate.ts";

/**
 * ExpeRepair's workflow (arXiv:2506.10484): reproduce the issue, find the code, write patches and
 * refine them until a review finds some correct, then let validation scripts choose among these.
 */
export const experepair: Workflow = async (run) => {
  const reproduction = await reproduce(run);
  await run.enter("locate", `${toldOf(reproduction)}; looks for the code`);
  const code = await locate(run);
  const context = { code, reproduction: shown(reproduction) };
  const bench = { run, context, script: reproduction.script };
  const found = await search(bench);
  // Success is the run's own judgement, never a hidden grade.
  await run.conclude(found.correct.length > 0 ? "pass" : "fail");
  if (found.correct.length === 0) return found.best?.patch ?? "";
  const variants = await around(bench, found.correct);
  return selectPatch(bench, [...found.correct, ...variants]);
};

function toldOf({ reproduced, rounds }: Reproduction): string {
  return reproduced
    ? `the issue is reproduced (round ${rounds})`
    : `the issue is not reproduced in ${rounds} rounds`;
}

function shown({ script, output, reproduced }: Reproduction): string {
  if (script === null) return "";
  return sections(
    reproduced
      ? "This script shows the issue:"
      : "This script was meant to show the issue and may not:",
    tagged("script", script.text),
    tagged("output", output),
  );
}

interface Found {
  /** Patches that a review took for correct. */
  readonly correct: readonly TriedPatch[];
  /** The best of the newest round that had any. */
  readonly best: TriedPatch | null;
}

/** Rounds of patches until some are correct. */
async function search(bench: Workbench): Promise<Found> {
  const { patchIterations } = bench.run.config.workflow.experepair;
  let best: TriedPatch | null = null;
  for (let round = 1; round <= patchIterations; round++) {
    const candidates = await candidatesOf(bench, best, round);
    if (candidates.length === 0) continue;
    const { ranking, correct } = await judge(bench.run, bench.context, candidates);
    const ordered = ranking.flatMap((index) => candidates[index] ?? []);
    best = ordered[0] ?? best;
    bench.run.proposal = best?.patch ?? "";
    const right = correct.flatMap((index) => candidates[index] ?? []);
    if (right.length > 0) return { correct: right, best };
  }
  return { correct: [], best };
}

async function candidatesOf(
  bench: Workbench,
  best: TriedPatch | null,
  round: number,
): Promise<readonly TriedPatch[]> {
  const { patchIterations } = bench.run.config.workflow.experepair;
  const what = best === null ? "writes patches" : "refines the best patch";
  await bench.run.enter("patch", `${what} (round ${round} of ${patchIterations})`);
  return best === null ? firstCandidates(bench) : refinedCandidates(bench, best);
}

/** Each correct patch made more complete and made simpler. */
async function around(
  bench: Workbench,
  correct: readonly TriedPatch[],
): Promise<readonly TriedPatch[]> {
  await bench.run.enter("refine", `${correctly(correct.length)}; tries fuller and simpler ones`);
  const variants: TriedPatch[] = [];
  for (const one of correct) variants.push(...(await variantsOf(bench, one)));
  return variants;
}

const correctly = (count: number) =>
  count === 1 ? "one patch is found correct" : `${count} patches are found correct`;
