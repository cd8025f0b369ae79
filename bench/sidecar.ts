import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { Benchmark, Figure } from "./figure.ts";
import { p99, stepAt } from "./observe.ts";

const main = "dist/src/cli/main.js";
const sessions = 10;
/** Calls of a session whose round trips count: those up to step 250. */
const around = 20;

/** Milliseconds of round trips near step 250 of one session. */
async function roundTrips(connection: MessageConnection, session: string): Promise<number[]> {
  const times: number[] = [];
  await connection.sendRequest("begin", { session, task: "handle_7 returns the wrong value_12" });
  for (let step = 1; step <= 250; step += 1) {
    const startedAt = performance.now();
    await connection.sendRequest("observe", { session, ...stepAt(step) });
    if (step > 250 - around) times.push(performance.now() - startedAt);
  }
  await connection.sendRequest("end", { session });
  return times;
}

/** Mebibytes that a process has in memory. */
function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

function figure(name: string, value: number, unit: string, n: number, most: number): Figure {
  const goal = `<= ${most} ${unit}`;
  return { figure: name, value, unit, n, peer: null, ratio: null, goal, met: value <= most };
}

/**
 * Round trips of `observe` near step 250 over the streams of a sidecar, journal included, and what
 * the sidecar has in memory before its first session.
 */
export const sidecar: Benchmark = async () => {
  if (!existsSync(main)) return [{ figure: "sidecar", skipped: "run `npm run build` first" }];
  const repo = mkdtempSync(join(tmpdir(), "pmcoder-bench-sidecar-"));
  mkdirSync(join(repo, ".git"));
  const child = spawn(process.execPath, [join(process.cwd(), main), "serve", "--stdio"], {
    cwd: repo,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    // Any answer says that everything is loaded.
    await connection.sendRequest("status", { session: "none" }).catch(() => {});
    await wait(1000);
    const idle = existsSync("/proc") ? residentOf(child.pid ?? 0) : Number.NaN;
    await roundTrips(connection, "warm");
    const times: number[] = [];
    for (let session = 1; session <= sessions; session += 1) {
      times.push(...(await roundTrips(connection, `s${session}`)));
    }
    return [
      figure("sidecar", p99(times), "ms", times.length, 8),
      figure("sidecar_idle", idle, "MiB", 1, 150),
    ];
  } finally {
    child.stdin.end();
    await once(child, "exit");
    connection.dispose();
    rmSync(repo, { recursive: true, force: true });
  }
};
