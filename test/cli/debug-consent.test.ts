import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { Moment } from "../../src/agent/consult.ts";
import { addBreakpoint } from "../../src/cli/breakpoints.ts";
import { deciderFor } from "../../src/cli/debug.ts";

const runFirst = () => Promise.reject(new Error("nothing runs here"));
const at = (step: number): Moment => {
  return { step, thought: "", callId: "c", command: "ls", state: null, stuck: null, runFirst };
};

function decider(kind: "local" | "bubblewrap") {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const decide = deciderFor({
    kind,
    break: addBreakpoint("step=2", []),
    io: { stdin, stderr, env: { NO_COLOR: "1" } },
    signal: new AbortController().signal,
  });
  const shown = () => String(stderr.read() ?? "");
  return { decide, shown, type: (line: string) => void stdin.write(`${line}\n`) };
}

it("asks for consent between breakpoints where there is no sandbox", async () => {
  const { decide, shown, type } = decider("local");
  const before = decide?.(at(1));
  type("n");
  expect(await before).toEqual({ type: "refuse" });
  expect(shown()).toContain("Run in your own system, without a sandbox?");
  const stopped = decide?.(at(2));
  type("c");
  expect(await stopped).toEqual({ type: "run", command: "ls" });
  expect(shown()).toContain("stopped at step 2 (step=2)");
});

it("asks nothing between breakpoints in a sandbox", async () => {
  const { decide, shown } = decider("bubblewrap");
  expect(await decide?.(at(1))).toEqual({ type: "run", command: "ls" });
  expect(shown()).toBe("");
});
