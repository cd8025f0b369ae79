import { spawn } from "node:child_process";
import type { Channel } from "./supervisor.ts";

const REASON_BYTES = 2000;
/** How long what it said last may lag behind its exit; processes that it left may hold the pipe. */
const DRAIN_MS = 100;

/**
 * Starts a program of this machine in a session of its own, so that neither the terminal nor its
 * Ctrl-C reaches it.
 */
export function startProcess(argv: readonly string[], env: Record<string, string>): Channel {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: "/", env, detached: true, stdio: "pipe" });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-REASON_BYTES);
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const tell = () =>
        resolve(`${program} ended with ${signal ?? `status ${code}`} ${said.trim()}`.trim());
      child.once("close", tell);
      setTimeout(tell, DRAIN_MS);
    });
  });
  return {
    input: child.stdin,
    output: child.stdout,
    exited,
    kill: () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, "SIGKILL");
      }
    },
  };
}
