import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Generation } from "../grading/log-parsers.ts";
import { type GradingRecord, readRecord } from "./grading-record.ts";
import { fileNames } from "./layout.ts";
import type { TestRun } from "./run-tests.ts";

/** Replaces a file whole. Throws PmcoderError `storage`. */
export type Write = (file: string, content: string | Uint8Array) => void;

/** The text of a file; null: there is none. */
function textIn(folder: string, name: string): string | null {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** How an instance was graded; null: it was not, or not to the end. */
export function recordIn(folder: string): GradingRecord | null {
  const text = textIn(folder, fileNames.record);
  return text === null ? null : readRecord(text);
}

/**
 * The record of a grading that still holds: of this patch, by this script, under these rules. null:
 * it was not graded, or not so. `script` null: whichever it was.
 */
export function standingRecord(
  folder: string,
  asked: {
    readonly patch: string;
    readonly script: string | null;
    readonly generation: Generation;
  },
): GradingRecord | null {
  const record = recordIn(folder);
  if (record?.generation !== asked.generation) return null;
  if (textIn(folder, fileNames.patch) !== asked.patch) return null;
  const isSame = asked.script === null || textIn(folder, fileNames.script) === asked.script;
  return isSame ? record : null;
}

/**
 * What a run of tests left in a folder, of ours or of the official harness; null: it came to no end.
 * Of a patch that did not apply the account alone tells.
 */
export function storedRun(folder: string): TestRun | null {
  const record = recordIn(folder);
  const account = textIn(folder, fileNames.account) ?? "";
  const file = join(folder, fileNames.log);
  const log = existsSync(file) ? readFileSync(file) : null;
  const isRefused = log === null && /^.*>>>>> Patch Apply Failed/m.test(account);
  const refused = record ? !record.patch_applied : isRefused;
  if (log === null && !refused) return null;
  return {
    patchApplied: !refused,
    log: refused ? null : log,
    timedOut: record?.timed_out ?? false,
    exitCode: record?.exit_code ?? null,
    account,
    seconds: record?.seconds ?? 0,
  };
}

/** A run of tests that a folder holds. */
export interface FoundRun {
  readonly folder: string;
  readonly run: TestRun;
}

/** Runs of tests by what decides them, so that the same is not run twice. */
export class TestRunIndex {
  readonly #folder: string;
  readonly #write: Write;

  /** `folder`: for one small file a run of tests, which says where its log is. */
  constructor(folder: string, write: Write) {
    this.#folder = folder;
    this.#write = write;
  }

  /** A run with this key whose log is still there. */
  find(key: string): FoundRun | null {
    const place = textIn(this.#folder, key);
    if (place === null) return null;
    const folder = resolve(this.#folder, place.trim());
    if (recordIn(folder)?.key !== key) return null;
    const run = storedRun(folder);
    return run && { folder, run };
  }

  /** A script that was ended is not to stand for others: the machine may have been slow. */
  add(key: string, folder: string, { timedOut }: TestRun): void {
    if (!timedOut) this.#write(join(this.#folder, key), `${relative(this.#folder, folder)}\n`);
  }
}
