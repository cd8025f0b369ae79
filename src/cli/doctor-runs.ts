import { existsSync, statSync } from "node:fs";
import { PmcoderError } from "../domain/errors.ts";
import { bytes, plural } from "../domain/quantities.ts";
import type { Dead } from "../environments/docker-clean.ts";
import { integrityFault } from "../store/integrity.ts";
import { asideAdvice, storageError } from "../store/storage-error.ts";
import type { Finding } from "./doctor-report.ts";
import { type LeftBehind, type LeftRun, leftBehind, type Places } from "./left-behind.ts";
import { shellWord } from "./terminal-text.ts";

export interface Told extends Places {
  /** Containers of dead runs; null: no engine answers. */
  readonly listDead: () => Promise<readonly Dead[] | null>;
  /** `--state` as it was given, for the commands that are named. */
  readonly given: string | undefined;
}

/** The journal, what killed runs left, and the working copies of others that still stand. */
export async function runFindings(told: Told): Promise<readonly Finding[]> {
  const { database } = told.state;
  try {
    const left = await leftBehind(told);
    return [
      journalFinding(database),
      ...killedFindings(left, told),
      copiesFinding(left, told),
      ...strangeFindings(left, told),
      ...(await containerFindings(told)),
    ];
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
    fix: `pmcoder resume ${run}${stateFlag(given)}`,
  };
}

const stateFlag = (given: string | undefined) =>
  given === undefined ? "" : ` --state ${shellWord(given)}`;

/** Of runs that ended. */
function copiesFinding({ runs }: LeftBehind, { given }: Told): Finding {
  const name = "working copies";
  const kept = runs.filter(({ why, copy }) => why !== "killed" && copy !== null);
  if (kept.length === 0) return { name, state: "ok", found: "none left behind" };
  const found = kept
    .map((one) => `${one.run} (${one.status}) ${bytes(one.copyBytes)} in ${one.copy}`)
    .join("; ");
  const isNeedless = kept.some(({ why }) => why === "done");
  const fix = `pmcoder doctor --clean${stateFlag(given)}`;
  return { name, state: "optional", found, ...(isNeedless ? { fix } : {}) };
}

const dayMs = 24 * 3600 * 1000;

/** Older ones whose run another state folder may know, or none any more. */
function strangeFindings({ strange }: LeftBehind, { clock }: Told): readonly Finding[] {
  const old = strange.filter((folder) => clock.now() - startOf(folder) > dayMs);
  if (old.length === 0) return [];
  const found = `${plural(old.length, "folder")} older than a day, of runs that are not recorded here. If no other state folder knows them:`;
  const fix = `rm -rf ${old.map(shellWord).join(" ")}`;
  return [{ name: "other copies", state: "optional", found, fix }];
}

async function containerFindings({ listDead, given }: Told): Promise<readonly Finding[]> {
  const name = "containers";
  const dead = await listDead();
  if (dead === null) return [];
  if (dead.length === 0) return [{ name, state: "ok", found: "none of dead runs" }];
  const runs = [...new Set(dead.map(({ run }) => run))];
  const found = `${dead.length} of dead runs: ${runs.slice(0, named).join(", ")}${runs.length > named ? ", …" : ""}`;
  return [{ name, state: "optional", found, fix: `pmcoder doctor --clean${stateFlag(given)}` }];
}

/** When a run began, epoch ms, by its id, which names the folder. */
function startOf(folder: string): number {
  const [, date = "", hour, minute, second] =
    /(\d{8})-(\d\d)(\d\d)(\d\d)-[0-9a-f]{4}$/.exec(folder) ?? [];
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}
