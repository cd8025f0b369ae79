import { execFile } from "node:child_process";
import type { Works } from "../environments/bubblewrap.ts";
import type { Finding } from "./doctor-report.ts";
import type { Env } from "./env.ts";

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Commands that install want no `sudo`. */
  readonly isRoot: boolean;
  /** With the PATH in which programs are looked for. */
  readonly env: Env & Readonly<Record<string, string | undefined>>;
}

interface Answer {
  readonly kind: "ok" | "absent" | "failed";
  /** The first line of what it printed. */
  readonly text: string;
}

/** Asks a program, for three seconds at most. */
function ask(program: string, args: readonly string[], { env }: Machine): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: 3_000, killSignal: "SIGKILL" } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: "ok", text: firstLine(stdout) });
      if (error.code === "ENOENT") return resolve({ kind: "absent", text: "not found" });
      const reason = error.killed ? "it does not answer" : firstLine(stderr) || error.message;
      resolve({ kind: "failed", text: reason });
    });
  });
}

const firstLine = (text: string) => text.trim().split("\n")[0] ?? "";

/** The command that installs a program here. */
function install(
  machine: Machine,
  packages: { readonly apt: string; readonly brew: string },
): string {
  if (machine.platform === "darwin") return `brew install ${packages.brew}`;
  return asRoot(machine, `apt-get install ${packages.apt}`);
}

const asRoot = ({ isRoot }: Machine, command: string) => (isRoot ? command : `sudo ${command}`);

/** The oldest Node that package.json allows. */
const oldestNode = [20, 19] as const;

export function nodeFinding(version: string, machine: Machine): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = oldestNode;
  const enough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  if (enough) return { name: "node", state: "ok", found: version };
  const found = `${version}, but ${wantedMajor}.${wantedMinor} or newer is needed`;
  const fix =
    machine.platform === "darwin" ? "brew install node" : "see https://nodejs.org/en/download";
  return { name: "node", state: "missing", found, fix };
}

/** A program without which nothing runs. */
export async function programFinding(name: "git" | "bash", machine: Machine): Promise<Finding> {
  const answer = await ask(name, ["--version"], machine);
  if (answer.kind === "ok") return { name, state: "ok", found: answer.text };
  return {
    name,
    state: "missing",
    found: answer.text,
    fix: install(machine, { apt: name, brew: name }),
  };
}

export interface Wanted {
  /** The configuration asks for this very environment. */
  readonly required: boolean;
}

export async function dockerFinding(machine: Machine, { required }: Wanted): Promise<Finding> {
  const name = "docker";
  const answer = await ask(name, ["version", "--format", "{{.Server.Version}}"], machine);
  if (answer.kind === "ok") return { name, state: "ok", found: `engine ${answer.text}` };
  const state = required ? "missing" : "optional";
  if (answer.kind === "absent") {
    const packages = { apt: "docker.io", brew: "--cask docker" };
    return { name, state, found: answer.text, fix: install(machine, packages) };
  }
  const start = asRoot(machine, "systemctl start docker");
  const fix = machine.platform === "darwin" ? "open -a Docker" : start;
  return { name, state, found: `its engine does not answer: ${answer.text}`, fix };
}

export async function bubblewrapFinding(
  machine: Machine,
  { required, tryIt }: Wanted & { readonly tryIt: () => Promise<Works> },
): Promise<Finding> {
  const name = "bubblewrap";
  const state = required ? "missing" : "optional";
  if (machine.platform !== "linux") return { name, state, found: "runs on Linux only; use docker" };
  const trial = await tryIt();
  if (trial.ok) return { name, state: "ok", found: "makes a sandbox" };
  const without = required ? "" : "; without it and Docker each command asks for consent";
  const answer = await ask("bwrap", ["--version"], machine);
  if (answer.kind === "absent") {
    const fix = asRoot(machine, "apt-get install bubblewrap");
    return { name, state, found: `not found${without}`, fix };
  }
  const found = `installed, but makes no sandbox here: ${trial.reason}${without}`;
  return { name, state, found, fix: trial.fix };
}
