import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { access, chmod, mkdir, realpath, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import {
  confinement,
  findHidden,
  type Hidden,
  SANDBOX_HOME,
  SANDBOX_RECORDS,
  SANDBOX_SPOOL,
  sandboxArguments,
  scratchFolders,
  toolchainVariables,
} from "./bubblewrap-mounts.ts";
import { childVariables, type Variables } from "./child-variables.ts";
import { startProcess } from "./host-process.ts";
import type { HostOptions } from "./local.ts";
import { residentEnvironment } from "./resident-environment.ts";
import { hostSpool, prepareSpool } from "./spool.ts";
import { Supervisor } from "./supervisor.ts";
import { groupsFile, SUPERVISOR_ARGV } from "./supervisor-program.ts";

export interface BubblewrapOptions extends HostOptions {
  /** Where commands see the copy: the path of the original, which they then cannot reach. */
  readonly at: string;
  /** Folder for temporary files and HOME, made if missing; not given: they go with the sandbox. */
  readonly scratch?: string | undefined;
  /** Further folders or files of this machine that commands must not see, such as other runs. */
  readonly hidden?: readonly string[];
}

/**
 * Runs commands under bubblewrap: this machine read-only, the copy writable at the original's
 * path, private /tmp, /run and HOME, processes of its own and, unless configured, no network.
 * Rejects with `environment_lost` when bubblewrap is missing or may not make namespaces here.
 */
export async function openBubblewrap(options: BubblewrapOptions): Promise<Environment> {
  const { copy, spool, config, records, scratch } = options;
  const first = await prepareSpool(spool);
  if (records !== undefined) await mkdir(records, { recursive: true });
  if (scratch !== undefined) await makeScratch(scratch);
  const at = await realpath(options.at).catch(() => options.at);
  const argv = sandboxArguments({
    copy,
    at,
    spool,
    records,
    scratch,
    hidden: await findHiddenBeside(options, at),
    network: config.network,
    root: process.getuid?.() === 0,
  });
  const env = await sandboxVariables(options);
  const program = { workdir: options.at, folder: SANDBOX_SPOOL, mark: randomUUID() };
  const supervisor = await Supervisor.start(
    startProcess(["bwrap", ...argv, "--", ...SUPERVISOR_ARGV], env),
    program,
  ).catch(async (cause: unknown) => {
    throw await explained(cause, env);
  });
  return residentEnvironment({
    kind: "bubblewrap",
    workdir: options.at,
    records: records === undefined ? "/var/tmp" : SANDBOX_RECORDS,
    supervisor,
    spool: hostSpool(spool),
    folder: SANDBOX_SPOOL,
    first,
    config,
    onClose: async () => {
      await rm(groupsFile({ ...program, folder: spool }), { force: true });
      await options.removeCopy?.();
    },
  });
}

export type Works =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

/** Whether bubblewrap can make its namespaces here; it really makes them. `env`: where PATH is. */
export async function bubblewrapWorks(env?: Variables): Promise<Works> {
  const root = process.getuid?.() === 0;
  const args = [...confinement({ network: "off", root }), "--", "true"];
  return promisify(execFile)("bwrap", args, env && { env }).then(
    () => ({ ok: true }),
    (error: { code?: unknown; stderr?: string; message: string }) =>
      error.code === "ENOENT" ? MISSING : { ok: false, reason: said(error), fix: REFUSED_FIX },
  );
}

const MISSING: Works = {
  ok: false,
  reason: "bubblewrap is not installed: there is no bwrap on PATH",
  fix: "install the package bubblewrap (apt-get install bubblewrap, dnf install bubblewrap), or use --environment local",
};
const REFUSED_FIX =
  "allow unprivileged user namespaces (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: start it with --privileged), or use --environment local";

const said = (error: { stderr?: string; message: string }) =>
  (error.stderr?.trim() || error.message).replaceAll("\n", " ");

/** The reason and the remedy when no sandbox can start here, else the failure itself. */
async function explained(cause: unknown, env: Variables): Promise<unknown> {
  const works = await bubblewrapWorks(env);
  if (works.ok) return cause;
  const message = `The bubblewrap sandbox cannot start: ${works.reason}. To go on, ${works.fix}.`;
  return new PmcoderError("environment_lost", message, { cause });
}

/** What lies inside the copy's place exists there only if it was copied. */
async function findHiddenBeside(options: BubblewrapOptions, at: string): Promise<Hidden[]> {
  const found = await findHidden(options.env["HOME"], options.hidden ?? []);
  const visible = await Promise.all(
    found.map(({ path }) => {
      const inside = relative(at, path);
      if (inside.startsWith("..")) return true;
      return access(join(options.copy, inside)).then(
        () => true,
        () => false,
      );
    }),
  );
  return found.filter((_, index) => visible[index]);
}

/** As /tmp is: whoever a command runs as may write there. */
async function makeScratch(scratch: string): Promise<void> {
  // Each of the folders is open to all, as /tmp is; nobody else of this machine may get there.
  await mkdir(scratch, { recursive: true });
  await chmod(scratch, 0o700);
  for (const { from } of scratchFolders(scratch)) {
    await mkdir(from, { recursive: true });
    await chmod(from, 0o1777);
  }
}

/** Names of folders and sockets of the host that are not there in the sandbox. */
const HOSTS_PLACES = /^(?:HOME|TMPDIR|TMP|TEMP|XDG_.*|DBUS_.*)$/;

async function sandboxVariables({ env, config }: HostOptions): Promise<Record<string, string>> {
  const caller: Variables = {
    ...(await toolchainVariables(env["HOME"])),
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !HOSTS_PLACES.test(name))),
  };
  return { ...childVariables(caller, config.env), HOME: SANDBOX_HOME };
}
