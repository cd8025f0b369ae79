import { existsSync, statSync } from "node:fs";
import { PmcoderError } from "../domain/errors.ts";
import { integrityFault } from "../store/integrity.ts";
import { asideAdvice, storageError } from "../store/storage-error.ts";
import type { Finding } from "./doctor-report.ts";
import { type LeftBehind, type LeftRun, leftBehind, type Places } from "./left-behind.ts";
import { bytes, plural } from "./quantities.ts";
import { shellWord } from "./terminal-text.ts";

export interface Told extends Places {
  /** `--state` as it was given, for the commands that are named. */
  readonly given: string | undefined;
}

/** The journal, what killed runs left, and the working copies that nobody needs any more. */
export async function runFindings(told: Told): Promise<readonly Finding[]> {
  const { database } = told.state;
  try {
    const left = await leftBehind(told);
    return [journalFinding(database), ...killedFindings(left, told), copiesFinding(left, told)];
  } catch (error) {
    if (!(error instanceof PmcoderError)) throw error;
    return [{ name: "journal", state: "missing", found: error.message }];
  }
}

function journalFinding(file: string): Finding {
  const name = "journal";
  if (!existsSync(file)) return { name, state: "ok", found: "none yet" };
  try {
    const fault = integrityFault(file);
    if (fault === null) return { name, state: "ok", found: `${bytes(statSync(file).size)}` };
    const found = `${file} is damaged (${fault}). ${asideAdvice(file)}`;
    return { name, state: "missing", found };
  } catch (error) {
    return { name, state: "missing", found: storageError(file, "read", error).message };
  }
}

/** Killed runs that are named; of more only the number is told. */
const named = 5;

function killedFindings({ runs }: LeftBehind, { given }: Told): readonly Finding[] {
  const killed = runs.filter(({ why }) => why === "killed");
  if (killed.length === 0) return [{ name: "killed runs", state: "ok", found: "none" }];
  const more = killed.length - named;
  return [
    ...killed.slice(0, named).map((one) => killedFinding(one, given)),
    ...(more > 0
      ? [{ name: "killed runs", state: "optional", found: `${more} more` } as const]
      : []),
  ];
}

function killedFinding({ run, ...left }: LeftRun, given: string | undefined): Finding {
  const state = given === undefined ? "" : ` --state ${shellWord(given)}`;
  const found = [
    run,
    ...(left.copy === null ? [] : [`working copy ${bytes(left.copyBytes)} in ${left.copy}`]),
    ...(left.container === null ? [] : [`container ${left.container}, if it still runs`]),
    ...(left.outputBytes === 0 ? [] : [`results ${bytes(left.outputBytes)} in ${left.output}`]),
  ];
  return {
    name: "killed run",
    state: "optional",
    found: found.join("; "),
    fix: `pmcoder resume ${run}${state}`,
  };
}

const dayMs = 24 * 3600 * 1000;

/** Working copies that are no killed run's: those of ended runs, and of runs recorded elsewhere. */
function copiesFinding({ runs, strange }: LeftBehind, { clock, given }: Told): Finding {
  const name = "working copies";
  const kept = runs.filter(({ why, copy }) => why !== "killed" && copy !== null);
  const done = kept.filter(({ why }) => why === "done");
  const old = strange.filter((folder) => clock.now() - startOf(folder) > dayMs);
  if (kept.length === 0 && old.length === 0) {
    return { name, state: "ok", found: "none left behind" };
  }
  const size = (some: readonly LeftRun[]) =>
    bytes(some.reduce((sum, { copyBytes }) => sum + copyBytes, 0));
  const found = [
    ...kept.map((one) => `${one.run} (${one.status}) ${bytes(one.copyBytes)} in ${one.copy}`),
    ...(old.length > 0
      ? [`${plural(old.length, "folder")} older than a day, of runs that are not recorded here`]
      : []),
  ].join("; ");
  if (done.length > 0) {
    const state = given === undefined ? "" : ` --state ${shellWord(given)}`;
    return { name, state: "optional", found, fix: `pmcoder doctor --clean${state} (${size(done)})` };
  }
  if (old.length === 0) return { name, state: "optional", found };
  return { name, state: "optional", found, fix: `rm -rf ${old.map(shellWord).join(" ")}` };
}

/** When a run began, epoch ms, by its id, which names the folder. */
function startOf(folder: string): number {
  const [, date = "", time = ""] = /(\d{8})-(\d{6})-[0-9a-f]{4}$/.exec(folder) ?? [];
  const pairs = (digits: string, by: string) => digits.replaceAll(/(\d\d)(?=\d)/g, `$1${by}`);
  return Date.parse(`${date.slice(0, 4)}-${pairs(date.slice(4), "-")}T${pairs(time, ":")}Z`);
}
