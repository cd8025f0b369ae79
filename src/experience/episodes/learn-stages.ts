import type { PastEpisode, Stage } from "../../domain/experience.ts";
import { headOf, tailOf } from "../../substrate/memory/text.ts";
import { corrections, pairAttempts } from "../experepair/attempts.ts";
import { type RepairMemory, type RepairText, repairTypeOf } from "../repair-memory.ts";
import { type PatchAttempt, patchAttempts } from "./patch-attempts.ts";
import { filesOf, locationsOf } from "./patch-places.ts";
import { type EpisodeWork, workOf } from "./runs.ts";
import { type TestAttempt, testAttempts } from "./test-attempts.ts";

/** Characters kept of a script or patch, and of an output's end; files that were read; checks. */
const artifactChars = 4000;
const outputChars = 2000;
const contextFiles = 12;
const checksKept = 3;

type Told = Partial<Omit<RepairText, "repairType" | "outcome">>;

/**
 * What an episode teaches about the five stages (arXiv:2609.20130 keeps memories so; which part of
 * an episode makes which is our choice). `rep`: scripts that failed to show the issue, each with the
 * one that did. `loc`: where the patch of a resolved issue stands. `gen`: a patch whose first check
 * passed. `ref`: an edit whose check failed, with the next state that passed. `val`: the last checks
 * that passed on the final state.
 */
export function stageMemories(episode: PastEpisode): readonly RepairMemory[] {
  const work = workOf(episode);
  const patch = episode.patch.trim();
  const tests = testAttempts(work, episode.from.issue);
  const patches = patchAttempts(work, patch);
  const outcome = {
    reproduced: tests.some(({ worked }) => worked),
    patchApplied: patch !== "",
    verified: episode.resolved,
  };
  const repairType = repairTypeOf(episode.from.issue);
  const read = work.reads.slice(0, contextFiles).join("\n");
  const memory = (stage: Stage, told: Told): RepairMemory => ({
    stage,
    from: episode.from,
    ...clip(told),
    repairType,
    outcome,
  });
  return [
    ...reproductions(tests).map((told) => memory("rep", { retrievedContext: read, ...told })),
    ...repairs(patch, patches, episode.resolved).map(([stage, told]) =>
      memory(stage, { retrievedContext: stage === "loc" ? read : locationsOf(patch), ...told }),
    ),
    ...(patch === "" ? [] : validations(work)).map((told) =>
      memory("val", { retrievedContext: filesOf(patch).join("\n"), ...told }),
    ),
  ];
}

/**
 * Whether an episode's own evidence says that it resolved its issue: it left a patch, and the last
 * state that was checked passed.
 */
export function ownEvidence(episode: Pick<PastEpisode, "steps" | "root" | "patch">): boolean {
  const patch = episode.patch.trim();
  return patch !== "" && patchAttempts(workOf(episode), patch).at(-1)?.worked === true;
}

function reproductions(log: readonly TestAttempt[]): readonly Told[] {
  return pairAttempts(log).map(({ from, to }) => ({
    failedAttempt: from.before,
    failureFeedback: from.beforeOutput,
    artifact: to.test,
    successfulOutput: to.output,
  }));
}

function repairs(
  patch: string,
  log: readonly PatchAttempt[],
  resolved: boolean,
): readonly (readonly [Stage, Told])[] {
  if (patch === "") return [];
  const [first] = log;
  const isFirstGood = first === undefined || first.worked;
  const found: Told = { artifact: locationsOf(patch) };
  const made: Told = { artifact: patch, successfulOutput: first?.output ?? "" };
  return [
    ...(resolved ? [["loc", found] as const] : []),
    ...(isFirstGood ? [["gen", made] as const] : []),
    ...corrections(log).map(({ from, to }) => {
      const told: Told = {
        failedAttempt: from.before,
        failureFeedback: from.beforeOutput,
        artifact: to.patch,
        successfulOutput: to.output,
      };
      return ["ref", told] as const;
    }),
  ];
}

function validations({ runs, edits }: EpisodeWork): readonly Told[] {
  const last = runs.filter((run) => run.edits === edits.length && run.passed === true);
  const distinct = new Map(last.map((run) => [run.text, run]));
  return [...distinct.values()]
    .slice(-checksKept)
    .map(({ text, output }) => ({ artifact: text, successfulOutput: output }));
}

function clip(told: Told): Omit<RepairText, "repairType" | "outcome"> {
  const { retrievedContext = "", failedAttempt = "", failureFeedback = "" } = told;
  const { artifact = "", successfulOutput = "" } = told;
  return {
    retrievedContext: headOf(retrievedContext, artifactChars),
    failedAttempt: headOf(failedAttempt, artifactChars).trim(),
    failureFeedback: tailOf(failureFeedback, outputChars).trim(),
    artifact: headOf(artifact, artifactChars).trim(),
    successfulOutput: tailOf(successfulOutput, outputChars).trim(),
  };
}
