import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../src/cli/version.ts";
import { RunConfig } from "../src/domain/config/run-config.ts";
import { Sidecar } from "../src/hosts/sidecar.ts";
import { against, type Benchmark } from "./figure.ts";
import { stepAt } from "./observe.ts";

const main = "dist/src/cli/main.js";
const pairs = 21;
const session = "bench";

/** A session that stands at so many steps, as hooks before left it. */
function sessionAt(steps: number, repo: string): void {
  const sidecar = new Sidecar({
    folder: join(repo, ".pmcoder", "hosts"),
    root: repo,
    version,
    config: RunConfig.parse({}),
    redact: (value) => value,
    warn: () => {},
  });
  sidecar.begin({ session, task: "handle_7 returns the wrong value_12" });
  for (let step = 1; step <= steps; step += 1) sidecar.observe({ session, ...stepAt(step) });
  sidecar.end({ session });
}

function eventAt(step: number, repo: string): string {
  const { command, output } = stepAt(step);
  return JSON.stringify({
    hook_event_name: "PostToolUse",
    session_id: session,
    cwd: repo,
    tool_name: "run_shell_command",
    tool_call_id: `call_${step}`,
    tool_input: { command },
    tool_response: {
      llmContent: `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)`,
    },
  });
}

/** Seconds of a whole process, from its start to its end. */
function secondsOf(args: readonly string[], input: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", () => resolve((performance.now() - startedAt) / 1000));
    child.stdin.end(input);
  });
}

/** A whole hook process at step 250 and after beside `node -e 0`, in pairs. */
export const hook: Benchmark = async () => {
  if (!existsSync(main)) return [{ figure: "hook", skipped: "run `npm run build` first" }];
  const repo = mkdtempSync(join(tmpdir(), "pmcoder-bench-hook-"));
  try {
    mkdirSync(join(repo, ".git"));
    sessionAt(249, repo);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      ours.push(await secondsOf([main, "hook", "qwen-code"], eventAt(250 + pair, repo)));
      bare.push(await secondsOf(["-e", "0"], ""));
    }
    return [against("hook", "s", ours, { name: "node -e 0", values: bare }, 3)];
  } finally {
    rmSync(repo, { recursive: true, force: true });
  }
};
