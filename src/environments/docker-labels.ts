import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** The process that answers for a container. */
export interface Owner {
  readonly pid: number;
  /** The machine, or the container, in which the number means this process. */
  readonly host: string;
  /** When it started: another process that got the same number has another mark. */
  readonly started: string;
}

const RUN = "pmcoder.run";
const PID = "pmcoder.owner";
const HOST = "pmcoder.host";
const STARTED = "pmcoder.started";

/** What a listing of containers is filtered by. */
export const RUN_LABEL = RUN;

export function labelsOf(run: string, owner: Owner): Record<string, string> {
  return {
    [RUN]: run,
    [PID]: String(owner.pid),
    [HOST]: owner.host,
    [STARTED]: owner.started,
  };
}

type Labels = Readonly<Record<string, string>>;

/** Null when the labels name no owner, so that nothing is known of it. */
export function ownerOf(labels: Labels): Owner | null {
  const { [PID]: pid, [HOST]: host, [STARTED]: started } = labels;
  if (pid === undefined || host === undefined || started === undefined) return null;
  return /^[1-9][0-9]*$/.test(pid) ? { pid: Number(pid), host, started } : null;
}

export function runOf(labels: Labels): string {
  return labels[RUN] ?? "";
}

export async function thisOwner(): Promise<Owner> {
  const { pid } = process;
  return { pid, host: await thisHost(), started: (await startOf(pid)) ?? "" };
}

/** Whether its owner is known to be dead; of another host's processes nothing is known here. */
export async function isDead({ pid, host, started }: Owner): Promise<boolean> {
  return host === (await thisHost()) && (await startOf(pid)) !== started;
}

/** Tells one process from all others, short enough for a name. */
export function digestOf({ host, started }: Omit<Owner, "pid">): string {
  return createHash("sha256").update(`${host} ${started}`).digest("hex").slice(0, 12);
}

/** Whether a container's name says that a living process of this machine has taken it over. */
export async function isTaken(name: string): Promise<boolean> {
  const [, pid, digest] = /\.by-(\d+)-([0-9a-f]{12})$/.exec(name) ?? [];
  if (pid === undefined) return false;
  const started = (await startOf(Number(pid))) ?? "";
  return digestOf({ host: await thisHost(), started }) === digest;
}

/** Processes are numbered anew in each container, also in one that has the machine's name. */
async function thisHost(): Promise<string> {
  const numbering = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${numbering}`.trim();
}

/** A text that no other process with this number shares, after a new start of the machine neither. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== "linux") return startByPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  const state = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  // The state is the third field of the file, and the start, in ticks since the boot, the 22nd.
  const ticks = state?.[19];
  if (ticks === undefined || state?.[0] === "Z") return null;
  return `${(await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim()} ${ticks}`;
}

async function startByPs(pid: number): Promise<string | null> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
    env: { LC_ALL: "C", TZ: "UTC0", PATH: "/bin:/usr/bin" },
  }).catch(() => ({ stdout: "" }));
  return stdout.trim() || null;
}
