import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../../domain/errors.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import { findCommit, gitIn } from "../../experience/repomem/read-history.ts";
import type { Io } from "../io.ts";
import { visible } from "../terminal-text.ts";
import { type ChosenRows, chosenRows } from "./chosen-rows.ts";

interface Flags {
  readonly dataset: string;
  readonly filter?: string | undefined;
  readonly repos: string;
}

/** The clone of an instance's repository, bare or with a working tree. */
export const cloneOf = (repo: string, { repos }: Pick<Flags, "repos">, io: Io): string =>
  join(resolve(io.cwd, repos), repo.replace("/", "__"));

/**
 * The rows that are asked for and whose base stands in a clone; people are told of the others.
 * Rejects with PmcoderError `usage` when none is left.
 */
export async function rowsWithBase(flags: Flags, io: Io, signal: AbortSignal): Promise<ChosenRows> {
  const { dataset, repos } = flags;
  const sources = {
    wanted: `a clone in ${repos} (OWNER__NAME)`,
    missing: (names: readonly string[]) => `no clone in ${repos} of ${names.join(", ")}.`,
    has: (repo: string) => existsSync(cloneOf(repo, flags, io)),
  };
  const { rows, sha256 } = await chosenRows(flags, sources, io);
  const usable: DatasetRow[] = [];
  for (const row of rows) {
    const why = await whyUnusable(row, cloneOf(row.repo, flags, io), signal);
    if (why === null) usable.push(row);
    else io.stderr.write(`${visible(`${row.instance_id} is left out: ${why}`)}\n`);
  }
  if (usable.length > 0) return { rows: usable, sha256 };
  throw new PmcoderError(
    "usage",
    `No instance of ${dataset} has its base commit in a clone in ${repos}. Fetch them whole: git clone --bare URL ${repos}/OWNER__NAME`,
  );
}

async function whyUnusable(
  { base_commit: base }: DatasetRow,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const sha = await findCommit(gitIn(folder, signal), base);
    return sha === null ? `its base ${base} is not in ${folder}.` : null;
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "usage") return error.message;
    throw error;
  }
}
