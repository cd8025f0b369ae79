import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import { isBelow } from "./dataset-repository.ts";
import { parseJson, type RawRow } from "./dataset-row.ts";

const settingsFile = "sweb.yaml";
const taskFile = "task.yaml";
const testsFile = "tests.json";

/** Fields of a row that have a file of their own beside task.yaml. */
const ownFiles = {
  problem_statement: "problem_statement.md",
  patch: "gold.patch",
  test_patch: "test.patch",
  eval_script: "eval.sh",
  hints_text: "hints.md",
} as const;

const Published = z.object({
  datasets: z.array(z.string()).default([]),
  splits: z.array(z.string()).default(["test"]),
});
const Membership = z.object({
  datasets: z.array(z.string()).nullish(),
  split: z.string().nullish(),
});

/**
 * The rows of a SWE-bench 5 task repository: `sweb.yaml` says which datasets and splits it
 * publishes, `tasks/<instance>/` holds one task each (swebench 5.0.2, swebench/task/repo.py). A
 * task outside the published splits is left out, and so is one that belongs to other datasets than
 * `dataset`; null takes all. Throws PmcoderError `usage` when it is no such folder.
 */
export function rowsOfTasks(
  folder: string,
  origin: string,
  dataset: string | null,
): readonly RawRow[] {
  const tasks = join(folder, "tasks");
  const names = existsSync(tasks)
    ? readdirSync(tasks)
        .filter((name) => existsSync(join(tasks, name, taskFile)))
        .toSorted()
    : [];
  if (names.length === 0) {
    throw new PmcoderError(
      "usage",
      `${origin} is a folder without tasks/<instance>/${taskFile}. Give a .jsonl, .json or .parquet file, or a SWE-bench 5 task repository.`,
    );
  }
  const { datasets, splits } = published(folder, origin);
  if (dataset !== null && !datasets.includes(dataset)) {
    const known = datasets.length > 0 ? datasets.join(", ") : "none by name";
    throw new PmcoderError("usage", `${origin} does not publish "${dataset}"; it has ${known}.`);
  }
  return names
    .map((name) => rowOfTask(join(tasks, name), `${origin}/tasks/${name}`))
    .filter(({ membership: { split, datasets: its } }) => {
      const isPublished = split == null || splits.includes(split);
      return isPublished && (dataset === null || its?.includes(dataset) === true);
    })
    .map(({ row }) => row);
}

function published(folder: string, origin: string): z.infer<typeof Published> {
  const file = join(folder, settingsFile);
  if (!existsSync(file)) return Published.parse({});
  const text = readFileSync(file, "utf8");
  const found = Published.safeParse(yamlIn(text, `${origin}/${settingsFile}`));
  if (found.success) return found.data;
  throw new PmcoderError(
    "usage",
    `${origin}/${settingsFile} must hold lists named datasets and splits: ${z.prettifyError(found.error)}`,
  );
}

interface Task {
  readonly row: RawRow;
  readonly membership: z.infer<typeof Membership>;
}

function rowOfTask(folder: string, where: string): Task {
  const name = basename(folder);
  const found = attempt(() => yamlIn(textOf(join(folder, taskFile)), `${where}/${taskFile}`));
  const membership = Membership.safeParse(found.value).data ?? {};
  const row: RawRow = {
    where,
    seems: () => name,
    mentions: (id) => id === name,
    value: () => {
      if (found.error !== null) throw found.error;
      return { ...Object(found.value), ...ownTexts(folder), ...testsOf(folder, where) };
    },
  };
  return { row, membership };
}

/** A task that cannot be read is a malformed row, not the end of the others. */
function attempt(read: () => unknown): {
  readonly value: unknown;
  readonly error: PmcoderError | null;
} {
  try {
    return { value: read(), error: null };
  } catch (error) {
    if (error instanceof PmcoderError) return { value: null, error };
    throw error;
  }
}

function ownTexts(folder: string): Record<string, string> {
  const files = Object.entries(ownFiles).map(([field, name]) => [field, join(folder, name)]);
  return Object.fromEntries(
    files.flatMap(([field = "", file = ""]) => (existsSync(file) ? [[field, textOf(file)]] : [])),
  );
}

function testsOf(folder: string, where: string): object {
  const file = join(folder, testsFile);
  if (!existsSync(file)) return {};
  const tests = parseJson(textOf(file), (reason) => {
    throw new PmcoderError("usage", `${where}/${testsFile} is not JSON: ${reason}`);
  });
  return Object(tests);
}

/** A file of a task. By a link out of the task repository any file of yours would be the issue. */
function textOf(file: string): string {
  const repository = dirname(dirname(dirname(file)));
  if (isBelow(realpathSync(repository), realpathSync(file))) return readFileSync(file, "utf8");
  throw new PmcoderError("usage", `${file} is a link out of the dataset's folder.`);
}

/** Dates stay the text that they are: a row's `created_at` is no point in time to us. */
function yamlIn(text: string, where: string): unknown {
  try {
    return parse(text, { schema: "core" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PmcoderError("usage", `${where} is not YAML: ${reason}`, { cause: error });
  }
}
