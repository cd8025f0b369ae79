import { z } from "zod";

const count = (value: number, what: string) => z.int().positive().default(value).describe(what);

const temperatures = (values: readonly number[], what: string) =>
  z
    .array(z.number().min(0).max(2).nullable())
    .min(1)
    .max(16)
    .default([...values])
    .describe(`${what} null is not sent, for models that take none.`);

/** ExpeRepair's own workflow (arXiv:2506.10484). */
export const ExpeRepairWorkflowConfig = z.strictObject({
  testRounds: count(3, "Rounds of writing a script that reproduces the issue (paper: 3)."),
  patchIterations: count(
    3,
    "Rounds of patches, the first included, until a review finds one correct (paper: 3).",
  ),
  patchTemperatures: temperatures(
    [0, 0.8, 0.8, 0.8],
    "One candidate patch for each, sampled at this temperature (public code).",
  ),
  validationTemperatures: temperatures(
    [0, 0.8, 0.8],
    "One validation script for each, sampled at this temperature (public code).",
  ),
  validationInputs: count(8, "Inputs that a validation script tries at most (public code: 8)."),
  filesFound: count(10, "Files that the first localisation call may name (public code: 10)."),
  filesKept: count(4, "Files that are left after the second one (public code: 4)."),
  locationsPerFile: count(3, "Places asked for in each of them, at least (public code: 3)."),
  editsPerPatch: count(3, "Search and replace edits of one patch (public code: 3)."),
  scriptTimeoutSec: count(120, "Time limit of one script, in seconds (public code: 120)."),
  testFileLines: count(1000, "Lines shown of an existing test file (public code: 1,000)."),
  tries: count(
    3,
    "Times that a check, a localisation, a review or a vote is asked (public code: 3).",
  ),
  adviceTries: count(5, "Times that advice is asked for before it is given up (public code: 5)."),
  outputChars: count(
    8000,
    "Characters shown of what a script printed, its end. Our choice: a traceback and the lines before it.",
  ),
  treeChars: count(
    60_000,
    "Characters shown of the list of files. Our choice: some 15,000 tokens, a large project's sources.",
  ),
  fileChars: count(
    60_000,
    "Characters shown of one file when places in it are looked for; a longer one is shown as its outline. Our choice.",
  ),
  contextLines: count(12, "Lines shown around a place that was found. Our choice."),
});
export type ExpeRepairWorkflowConfig = z.infer<typeof ExpeRepairWorkflowConfig>;
