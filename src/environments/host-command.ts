import { spawn } from "node:child_process";

export interface HostCommand {
  readonly cwd: string;
  /** Standard input; none by default. */
  readonly input?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HostResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Variables with which git leads its own children (a hook, an alias) to one repository; under such
 * a parent they would lead ours there too.
 */
const misleading = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
].flatMap((name) => ["-u", name]);

/**
 * Runs a program of this machine to its end, whatever its exit status, with messages in English
 * and all of its output. 127 means that there is no such program. It leads a process group of its
 * own, which an aborted signal kills. Rejects with the signal's reason, or when `cwd` is not a
 * folder.
 */
export function runHost(argv: readonly string[], options: HostCommand): Promise<HostResult> {
  const { cwd, input, signal } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn("/usr/bin/env", [...misleading, "LC_ALL=C", ...argv], {
      cwd,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const kill = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
    signal?.addEventListener("abort", kill);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted) reject(signal.reason);
      resolve({
        exitCode: code ?? 1,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8"),
      });
    });
    // A program that ends before it has read everything says so by its exit status.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
