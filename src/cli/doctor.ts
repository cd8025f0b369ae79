import { resolve } from "node:path";
import type { Clock } from "../domain/clock.ts";
import { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Works } from "../environments/bubblewrap.ts";
import type { Dead } from "../environments/docker-clean.ts";
import type { StateFolder } from "../store/state-folder.ts";
import { type ConfigInputs, gatherSettings } from "./config-file.ts";
import { hostFindings } from "./doctor-hosts.ts";
import { keysFinding, modelFinding } from "./doctor-model.ts";
import { bankFinding, diskFinding, stateFinding } from "./doctor-places.ts";
import { exitCodeOfFindings, type Finding, renderFindings } from "./doctor-report.ts";
import { runFindings } from "./doctor-runs.ts";
import {
  bubblewrapFinding,
  dockerFinding,
  type Machine,
  nodeFinding,
  programFinding,
} from "./doctor-tools.ts";
import type { TextStream } from "./env.ts";
import { mergeConfig } from "./merge-config.ts";
import { bankPlace } from "./places.ts";
import { coloured, plain } from "./terminal-text.ts";

export interface DoctorInputs extends ConfigInputs {
  readonly machine: Machine;
  readonly nodeVersion: string;
  readonly clock: Clock;
  /** Where runs are kept. */
  readonly state: StateFolder;
  /** `--state` as it was given. */
  readonly given?: string | undefined;
  /** Where working copies are made, when the configuration names no place. */
  readonly workFolder: string;
  readonly trySandbox: () => Promise<Works>;
  /** Containers of dead runs; null: no engine answers. */
  readonly listDead: () => Promise<readonly Dead[] | null>;
}

/** Looks at everything that a run needs, each within a few seconds, side by side. */
export async function examine(inputs: DoctorInputs): Promise<readonly Finding[]> {
  const { machine, clock, env } = inputs;
  const { config, finding } = readConfig(inputs);
  const { kind, workDir } = config.environment;
  const workFolder = workDir === null ? inputs.workFolder : resolve(inputs.cwd, workDir);
  const found = await Promise.all([
    nodeFinding(inputs.nodeVersion, machine),
    programFinding("git", machine),
    programFinding("bash", machine),
    bubblewrapFinding(machine, { required: kind === "bubblewrap", tryIt: inputs.trySandbox }),
    dockerFinding(machine, { required: kind === "docker" }),
    finding,
    keysFinding(env),
    modelFinding(config.model, env, clock),
    stateFinding(inputs.state.folder),
    diskFinding(workFolder),
    bankFinding(bankPlace(config.experience.bank, inputs)),
  ]);
  const { state, given, listDead } = inputs;
  const left = await runFindings({ state, given, work: workFolder, clock, listDead });
  return [...found, ...left, ...hostFindings(state)];
}

/** The configuration, or the defaults and what is wrong with it. */
function readConfig(inputs: ConfigInputs): { config: RunConfig; finding: Finding } {
  const name = "configuration";
  try {
    const { config, sources } = mergeConfig(gatherSettings(inputs));
    const found = sources.size === 0 ? "the defaults" : `${sources.size} values set`;
    return { config, finding: { name, state: "ok", found } };
  } catch (error) {
    if (!(error instanceof PmcoderError)) throw error;
    const finding: Finding = { name, state: "missing", found: error.message };
    return { config: RunConfig.parse({}), finding };
  }
}

export interface Report {
  readonly json: boolean;
  readonly stdout: TextStream;
  readonly env: DoctorInputs["env"];
}

/** Prints the findings, for people or one JSON object a line. Returns the exit status. */
export function report(findings: readonly Finding[], { json, stdout, env }: Report): 0 | 1 {
  const paint = stdout.isTTY && !env.NO_COLOR ? coloured : plain;
  const lines = findings.map((finding) => `${JSON.stringify(finding)}\n`).join("");
  stdout.write(json ? lines : renderFindings(findings, paint));
  return exitCodeOfFindings(findings);
}
