import { randomUUID } from "node:crypto";
import { access, mkdir } from "node:fs/promises";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import { childVariables, type Variables } from "./child-variables.ts";
import { startProcess } from "./host-process.ts";
import { residentEnvironment } from "./resident-environment.ts";
import { hostSpool, prepareSpool } from "./spool.ts";
import { Supervisor } from "./supervisor.ts";
import { groupsFile, SUPERVISOR_ARGV } from "./supervisor-program.ts";

export interface HostOptions {
  /** The working copy on this machine. */
  readonly copy: string;
  /** Folder for the complete output of each command; made if missing, kept at close. */
  readonly spool: string;
  /** Folder for pmcoder's own records, made if missing; /var/tmp if not given. */
  readonly records?: string | undefined;
  readonly config: RunConfig["environment"];
  /** The caller's environment. */
  readonly env: Variables;
  /** Called once by `close`, when nothing runs in the copy any more. */
  readonly removeCopy?: (() => Promise<void>) | undefined;
}

/**
 * Runs commands on this machine as they are: the copy keeps the user's repository safe, nothing
 * else is protected. Rejects with `environment_lost` when no shell starts.
 */
export async function openLocal(options: HostOptions): Promise<Environment> {
  const { copy, spool, config, records = "/var/tmp" } = options;
  const first = await prepareSpool(spool);
  await mkdir(records, { recursive: true });
  const program = { workdir: copy, folder: spool, mark: randomUUID() };
  const env = childVariables(options.env, config.env);
  const start = () => Supervisor.start(startProcess(SUPERVISOR_ARGV, env), program);
  return residentEnvironment({
    kind: "local",
    workdir: copy,
    records,
    supervisor: await start(),
    spool: hostSpool(spool),
    folder: spool,
    first,
    config,
    onClose: async () => {
      // A supervisor that was killed has left its processes to another one.
      const orderly = await access(groupsFile(program)).then(
        () => false,
        () => true,
      );
      if (!orderly) await (await start()).stop();
      await options.removeCopy?.();
    },
  });
}
