import { bubblewrapWorks } from "../environments/bubblewrap.ts";
import { listDead } from "../environments/docker-clean.ts";
import { systemClock } from "./compose.ts";
import { examine, report } from "./doctor.ts";
import { findEngine } from "./find-engine.ts";
import type { Io } from "./io.ts";
import { statePlace, workRoot } from "./places.ts";

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
    state: statePlace(state, io),
    given: state,
    workFolder: workRoot(env),
    trySandbox: bubblewrapWorks,
    listDead: async () => {
      const engine = await findEngine(env);
      return engine && listDead(engine);
    },
  });
  return report(findings, { json: json === true, stdout, env });
}
