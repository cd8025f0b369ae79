import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Admission, admit } from "../agent/grounding/admission.ts";
import { forgetBase, snapshotBase } from "../agent/patch/base.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { duration } from "../domain/quantities.ts";
import type { Reproducer, ReproRecord } from "../domain/reproducer.ts";
import { runIdAt } from "../store/run-id.ts";
import { chooseEnvironment, consentFor } from "./choose-environment.ts";
import { systemClock } from "./compose.ts";
import { composePlace } from "./compose-place.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { statePlace } from "./places.ts";
import type { ValidateFlags } from "./repro-command.ts";
import { folderFor, readKept, readReproducer, writeRecord } from "./repro-files.ts";
import { issueOf } from "./repro-issue.ts";
import { reproConfig, scriptsFolder } from "./repro-settings.ts";
import { type Site, siteOf } from "./run-plan.ts";
import { listenForSignals } from "./signals.ts";
import { visible } from "./terminal-text.ts";

interface Bench {
  readonly config: RunConfig;
  readonly site: Site;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/**
 * `pmcoder repro validate`: each script on an untouched copy of the repository, and its record.
 * Returns 1 when one of them is refused.
 */
export async function validate(
  names: readonly string[],
  flags: ValidateFlags,
  io: Io,
): Promise<ExitCode> {
  const config = reproConfig(flags, io);
  const scripts = scriptsFolder(config, io);
  const candidates = names.map((name) => ({ name, ...scriptFor(scripts, name) }));
  const { image } = config.environment;
  const kind = await chooseEnvironment(config.environment, image);
  const place = {
    ...(flags.repo === undefined ? {} : { repo: flags.repo }),
    ...(flags.dataset === undefined ? {} : { instance: names[0] ?? "" }),
  };
  const site = await siteOf(kind, image, place, io.cwd);
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  const { signal } = interruption;
  const approve = consentFor({ kind, yes: flags.yes === true, io, signal });
  let status: ExitCode = 0;
  try {
    for (const { name, record: before, reproducer } of candidates) {
      const issue = (await issueOf(name, flags, io)) ?? "";
      if (!(await approve(`run ${folderFor(scripts, name)} twice`))) return 2;
      io.stderr.write(`${name}: two runs on a fresh tree …\n`);
      const bench = { config, site, io, signal };
      const admission = await tryOut(reproducer, issue, bench);
      signal.throwIfAborted();
      const record = { instance_id: name, ...recordOf(before, reproducer, admission) };
      writeRecord(scripts, record);
      io.stderr.write(`${name}: ${outcome(admission)}\n`);
      if (flags.json) io.stdout.write(`${JSON.stringify(record)}\n`);
      if (!record.admitted) status = 1;
    }
  } finally {
    interruption.release();
  }
  return status;
}

interface Candidate {
  /** null: written by hand, and not validated yet. */
  readonly record: ReproRecord | null;
  readonly reproducer: Reproducer;
}

function scriptFor(scripts: string, name: string): Candidate {
  const kept = readKept(scripts, name);
  if (kept?.reproducer) return { record: kept.record, reproducer: kept.reproducer };
  const folder = folderFor(scripts, name);
  const file = ["script.py", "script.sh"].map((one) => join(folder, one)).find(existsSync);
  if (file !== undefined) return { record: null, reproducer: readReproducer(file) };
  throw new PmcoderError(
    "usage",
    `${folder} holds no script.py and no script.sh. Write one, or have it written: pmcoder repro extract ${name}.`,
  );
}

/** A copy of the repository and an environment around it, for one script; nothing of it stays. */
async function tryOut(reproducer: Reproducer, issue: string, bench: Bench): Promise<Admission> {
  const { config, site, io, signal } = bench;
  const spool = await mkdtemp(join(tmpdir(), "pmcoder-repro-"));
  try {
    const { database: db, folder: state } = statePlace(undefined, io);
    const kept = {
      run: runIdAt(systemClock.now(), randomBytes(2)),
      outputs: { folder: spool, spool, db, state },
    };
    const tell = (line: string) => void io.stderr.write(`${line}\n`);
    const place = await composePlace(site, config.environment, kept, { io, signal, tell });
    const { environment } = place;
    try {
      const base = await snapshotBase(environment);
      const { timeoutSec } = config.grounding;
      const maxFileBytes = config.agent.patchMaxFileBytes;
      const parts = { environment, base, issue, timeoutSec, maxFileBytes, signal };
      const admission = await admit(reproducer, parts);
      await forgetBase(environment, base);
      return admission;
    } finally {
      await environment.close();
    }
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
}

function recordOf(
  before: Candidate["record"],
  { sha256, lang }: Reproducer,
  { refusal, exitCode, seconds }: Admission,
): Omit<ReproRecord, "instance_id"> {
  const isOwn = before === null || before.sha256 !== sha256;
  const author = isOwn ? "hand" : before.author;
  return {
    lang,
    sha256,
    admitted: refusal === null,
    rc: exitCode,
    ms: Math.round(seconds * 1000),
    model: before?.model ?? null,
    created: before?.created ?? new Date(systemClock.now()).toISOString(),
    ...(author === undefined ? {} : { author }),
  };
}

/** Of what a refused script printed at its end. Our choice: a screen. */
const shownChars = 1000;

function outcome({ refusal, seconds, output }: Admission): string {
  if (refusal === null) return `admitted (${duration(seconds)})`;
  const shown = output === "" ? [] : output.slice(-shownChars).split("\n").map(visible);
  return [`refused: ${refusal}`, ...shown.map((line) => `  ${line}`)].join("\n");
}
