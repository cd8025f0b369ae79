import { homedir } from "node:os";
import { join } from "node:path";
import { bubblewrapWorks } from "../environments/bubblewrap.ts";
import { stateFolderOf } from "../store/state-folder.ts";
import { systemClock } from "./compose.ts";
import { examine, report } from "./doctor.ts";
import type { Io } from "./io.ts";

export interface DoctorFlags {
  readonly config: readonly string[];
  readonly state?: string | undefined;
  readonly json?: true | undefined;
}

/** Examines this machine and prints what came out. Returns the exit status. */
export async function runDoctor({ config, state, json }: DoctorFlags, io: Io): Promise<0 | 1> {
  const { env, cwd, stdout } = io;
  const findings = await examine({
    env,
    cwd,
    arguments: config,
    flags: [],
    machine: { platform: process.platform, isRoot: process.getuid?.() === 0, env },
    nodeVersion: process.versions.node,
    clock: systemClock,
    stateFolder: stateFolderOf(cwd, state ?? (env.PMCODER_STATE || undefined)).folder,
    workFolder: join(
      env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"),
      "pmcoder",
      "work",
    ),
    trySandbox: bubblewrapWorks,
  });
  return report(findings, { json: json === true, stdout, env });
}
