import type { Script } from "../command-text.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import type { Workbench } from "./candidates.ts";
import { askUntil, Complaint } from "./conversation.ts";
import { byMeanRank } from "./mean-rank.ts";
import { comparable } from "./output.ts";
import { chooseGroups, rankByScript, type TriedPatch } from "./patch-prompts.ts";
import { numbersIn, scriptIn } from "./replies.ts";
import { runOn } from "./reproduce.ts";
import { writeValidation } from "./test-prompts.ts";

/** The best of several patches that pass: by what they print, then by scripts of their own. */
export async function selectPatch(bench: Workbench, pool: readonly TriedPatch[]): Promise<string> {
  const { run } = bench;
  const distinct = [...new Map(pool.map((one) => [one.patch, one])).values()];
  await run.enter(
    "validate",
    `${distinct.length === 1 ? "one patch is" : `${distinct.length} patches are`} left to choose from`,
  );
  const survivors = await inRightGroups(bench, distinct);
  const rankings = survivors.length > 1 ? await votes(bench, survivors) : [];
  const [best = 0] = byMeanRank(survivors.length, rankings);
  return survivors[best]?.patch ?? "";
}

/** Patches with which the script prints what it should; all, where nobody could say. */
async function inRightGroups(
  { run, context }: Workbench,
  patches: readonly TriedPatch[],
): Promise<readonly TriedPatch[]> {
  const outputs = [...new Set(patches.map(({ output }) => comparable(output)))];
  if (outputs.length < 2) return patches;
  const shown = outputs.map((text) => outputLike(patches, text));
  const chosen = await vote(run, chooseGroups(run, context, shown), {
    tag: "correct",
    count: outputs.length,
  });
  const right = patches.filter(({ output }) =>
    chosen?.includes(outputs.indexOf(comparable(output))),
  );
  return right.length > 0 ? right : patches;
}

const outputLike = (patches: readonly TriedPatch[], text: string) =>
  patches.find(({ output }) => comparable(output) === text)?.output ?? text;

/** One ranking for each validation script that could be written, run and judged. */
async function votes(
  { run, context, script }: Workbench,
  patches: readonly TriedPatch[],
): Promise<readonly (readonly number[])[]> {
  const { validationTemperatures, validationInputs: inputs } = run.config.workflow.experepair;
  const memories = await run.recall({
    phase: "verify",
    role: "tester",
    refining: false,
    failure: null,
  });
  const reproduction = script?.text ?? "";
  const messages = writeValidation(run, { reproduction, inputs, memories });
  const rankings: (readonly number[])[] = [];
  for (const temperature of validationTemperatures) {
    const written = scriptIn(await run.ask({ purpose: "validate", messages, temperature }));
    if (written === null) continue;
    const candidates = await outputsOf(run, written, patches);
    const question = rankByScript(run, context, { script: written.text, candidates });
    const ranking = await vote(run, question, { tag: "ranking", count: patches.length });
    if (ranking !== null) rankings.push(ranking);
  }
  return rankings;
}

async function outputsOf(
  run: WorkflowRun,
  script: Script,
  patches: readonly TriedPatch[],
): Promise<readonly TriedPatch[]> {
  const tried: TriedPatch[] = [];
  for (const { patch } of patches) tried.push({ patch, output: await runOn(run, script, patch) });
  return tried;
}

/** Indices that an evaluator names; null: no answer could be read. */
function vote(
  run: WorkflowRun,
  messages: ReturnType<typeof chooseGroups>,
  { tag, count }: { readonly tag: string; readonly count: number },
): Promise<readonly number[] | null> {
  const { tries } = run.config.workflow.experepair;
  return askUntil(run, { purpose: "select", messages, tries }, (reply) =>
    readVote(reply, tag, count),
  );
}

/** Numbers from 1 as indices from 0. An empty answer says that none is meant. */
export function readVote(reply: string, tag: string, count: number): readonly number[] | Complaint {
  const numbers = numbersIn(reply, tag, count);
  if (numbers === null) return new Complaint(`it does not hold <${tag}> with numbers and commas`);
  return numbers.map((n) => n - 1);
}
