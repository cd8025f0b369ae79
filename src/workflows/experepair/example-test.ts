import type { WorkflowRun } from "../workflow-run.ts";

const testName =
  /(?:^|\/)(?:tests?|spec|__tests__)\/|(?:^|\/)test_[^/]*$|[._](?:test|spec)\.[^/]*$/;
const sourceEnd = /\.(?:py|[cm]?[jt]sx?|rb|go|java|rs|php|sh)$/;

/**
 * The test file of the project whose path shares most words with the issue, cut to its first lines;
 * empty: none shares any. Our choice: a pattern for set-up and imports costs no model call.
 */
export async function exampleTest(run: WorkflowRun): Promise<string> {
  const words = new Set(wordsOf(run.issue));
  const tests = run.files.filter((path) => testName.test(path) && sourceEnd.test(path));
  const scored = tests.map((path) => ({ path, score: sharedWith(words, path) }));
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top), {
    path: "",
    score: 0,
  });
  const text = best.path === "" ? null : await run.read(best.path);
  if (text === null) return "";
  const { testFileLines } = run.config.workflow.experepair;
  return `${best.path}\n${text.split("\n").slice(0, testFileLines).join("\n")}`;
}

/** Words that say nothing of what a test is about. */
const common = new Set(["test", "tests", "spec", "init", "the", "and", "for", "with", "from"]);

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !common.has(word));

const sharedWith = (words: ReadonlySet<string>, path: string) =>
  new Set(wordsOf(path).filter((word) => words.has(word))).size;
