import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { capable } from "../capabilities.ts";
import { fix, issue, onlyRun, readText, replayOf, submit, world } from "./run-world.ts";

const hasTmux = capable("tmux", () => spawnSync("tmux", ["-V"]).status === 0);

const pmcoder = [
  process.execPath,
  "--import",
  import.meta.resolve("tsx"),
  fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
];

describe.runIf(hasTmux)("pmcoder run --debug in tmux", () => {
  it("asks and answers in plain lines", async () => {
    const at = world();
    const model = replayOf(at, "rm answer.py", fix, submit);
    const environment = { ...process.env, HOME: at.home, TMUX_TMPDIR: at.folder };
    const tmux = (...args: readonly string[]) =>
      execFileSync("tmux", args, { env: environment, cwd: at.repo, encoding: "utf8" });
    const line = [...pmcoder, "run", issue, "--model", model, "--yes", "--debug"];
    tmux("new-session", "-d", "-x", "100", "-y", "60", ...line);
    tmux("set-option", "-g", "remain-on-exit", "on");
    onTestFinished(() => void tmux("kill-server"));
    const shows = async (text: RegExp) => {
      while (!text.test(tmux("capture-pane", "-p"))) await wait(100);
    };
    await shows(/stopped at step 1, before\n {4}rm answer\.py\ndebug \[.*\]: *$/m);
    tmux("send-keys", "k", "Enter");
    await shows(/stopped at step 2, before\n/);
    tmux("send-keys", "b file=answer.py", "Enter");
    await shows(/^1 {2}file=answer\.py$/m);
    tmux("send-keys", "c", "Enter");
    await shows(/^submitted at step 3$/m);
    await shows(/^Pane is dead/m);
    expect(tmux("display-message", "-p", "#{pane_dead_status}")).toBe("0\n");
    expect(readText(onlyRun(at), "patch.diff")).toContain("+answer = 42\n");
  });
});
