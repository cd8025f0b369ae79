import type { Message } from "../../domain/message.ts";
import { patchRefused, type Script } from "../command-text.ts";
import { applyEdits, patchOf } from "../edits.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { askUntil, Complaint } from "./conversation.ts";
import {
  type Advice,
  advise,
  type Direction,
  type PatchContext,
  rewritePatch,
  type TriedPatch,
  writePatch,
} from "./patch-prompts.ts";
import { editsIn, tagIn } from "./replies.ts";
import { runOn } from "./reproduce.ts";

/** What patches are made and tried with. */
export interface Workbench {
  readonly run: WorkflowRun;
  readonly context: PatchContext;
  /** null: there is none, so patches are only laid. */
  readonly script: Script | null;
}

/** Characters of a patch: one argument of a command line holds it and a script (our choice). */
const patchChars = 60_000;

const coder = { phase: "implement", role: "coder" } as const;

/** One patch for each temperature; those that cannot be used are told and left out. */
export async function firstCandidates(bench: Workbench): Promise<readonly TriedPatch[]> {
  const { run, context } = bench;
  const { patchTemperatures, editsPerPatch: edits } = run.config.workflow.experepair;
  const memories = await run.recall({ ...coder, refining: false, failure: null });
  const messages = writePatch(run, context, { edits, memories });
  const made: TriedPatch[] = [];
  for (const temperature of patchTemperatures) {
    made.push(...(await candidate(bench, messages, temperature)));
  }
  return made;
}

/** As many patches that are made from one by advice, each by advice of its own. */
export async function refinedCandidates(
  bench: Workbench,
  before: TriedPatch,
): Promise<readonly TriedPatch[]> {
  const { run } = bench;
  const { patchTemperatures } = run.config.workflow.experepair;
  const { output: failure, patch: attempt } = before;
  const memories = await run.recall({ ...coder, refining: true, failure, attempt });
  const made: TriedPatch[] = [];
  for (const temperature of patchTemperatures) {
    const wish = { direction: "refine", memories, temperature } as const;
    made.push(...(await changed(bench, before, wish)));
  }
  return made;
}

/** A patch made more complete, and one made simpler. */
export async function variantsOf(
  bench: Workbench,
  before: TriedPatch,
): Promise<readonly TriedPatch[]> {
  const wish = { memories: "", temperature: bench.run.config.model.temperature };
  const expanded = await changed(bench, before, { ...wish, direction: "expand" });
  const compressed = await changed(bench, before, { ...wish, direction: "compress" });
  return [...expanded, ...compressed];
}

interface Wish {
  readonly direction: Direction;
  readonly memories: string;
  readonly temperature: number | null;
}

/** Advice, and a patch that follows it; none where no advice could be read. */
async function changed(
  bench: Workbench,
  before: TriedPatch,
  { temperature, ...wish }: Wish,
): Promise<readonly TriedPatch[]> {
  const { run, context } = bench;
  const { adviceTries: tries, editsPerPatch: edits } = run.config.workflow.experepair;
  const messages = advise(run, context, before, wish.direction);
  const advice = await askUntil(run, { purpose: "advise", messages, tries }, readAdvice);
  if (advice === null) return [];
  const question = rewritePatch(run, context, before, { ...wish, ...advice, edits });
  return candidate(bench, question, temperature);
}

/** What an evaluator advises. */
export function readAdvice(reply: string): Advice | Complaint {
  const advice = tagIn(reply, "advice");
  if (!advice) return new Complaint("it holds no <advice>…</advice>");
  return { analysis: tagIn(reply, "analysis") ?? "", advice };
}

/** A patch that was tried, or none, with the reason told. */
async function candidate(
  bench: Workbench,
  messages: readonly Message[],
  temperature: number | null,
): Promise<readonly TriedPatch[]> {
  const { run } = bench;
  const reply = await run.ask({ purpose: "patch", messages, temperature });
  const made = await patchIn(run, reply);
  const tried = "fault" in made ? made : await tryOut(bench, made.patch);
  if (!("fault" in tried)) return [tried];
  await run.note(`A candidate patch is discarded: ${tried.fault}.`);
  return [];
}

interface Fault {
  readonly fault: string;
}

async function patchIn(run: WorkflowRun, reply: string): Promise<{ patch: string } | Fault> {
  const edits = editsIn(reply, run.config.workflow.experepair.editsPerPatch);
  if (typeof edits === "string") return { fault: edits };
  const read = (path: string) => run.read(path);
  const overlay = await applyEdits(edits, read);
  if (typeof overlay === "string") return { fault: overlay };
  const patch = await patchOf(overlay, read);
  if (patch === "") return { fault: "it changes nothing" };
  return patch.length > patchChars ? { fault: "it is too long" } : { patch };
}

async function tryOut({ run, script }: Workbench, patch: string): Promise<TriedPatch | Fault> {
  const nothing: Script = { lang: "bash", text: ":\n" };
  const output = await runOn(run, script ?? nothing, patch);
  return output.endsWith(`(exit status ${patchRefused})`)
    ? { fault: "it does not apply" }
    : { patch, output };
}
