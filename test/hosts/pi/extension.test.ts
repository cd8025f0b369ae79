import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { piHandlers } from "../../../src/hosts/pi/extension.ts";
import { builtPmcoder } from "../../endurance/built-pmcoder.ts";
import { hookRepository, namesIn, readIn } from "../hook-world.ts";

const context = { sessionManager: { getSessionId: () => "pi-1" } };

const result = (toolName: string, input: object, text: string, more: object = {}) => ({
  type: "tool_result",
  toolName,
  toolCallId: `${toolName}-1`,
  input,
  content: [{ type: "text", text }],
  isError: false,
  ...more,
});

const handlersIn = (repo: string, main = builtPmcoder()) =>
  piHandlers({ node: process.execPath, main, cwd: repo });

describe("the pi extension", () => {
  it("adds the block as a part of its own, and says nothing of tools that it does not know", async () => {
    const repo = hookRepository();
    const handlers = handlersIn(repo);
    // The start of the sidecar may take longer than a host should wait for it.
    await expect
      .poll(() => handlers.prompt({ prompt: "parse() drops" }, context).then(() => namesIn(repo)))
      .toEqual(["pi-1.jsonl"]);
    const read = result("read", { path: "a.txt" }, "alpha");
    expect(await handlers.result(read, context)).toEqual({
      content: [
        { type: "text", text: "alpha" },
        { type: "text", text: expect.stringMatching(/^\n\[PLANMEM\]\nphase=explore/) },
      ],
    });
    expect(await handlers.result(read, context)).toBeUndefined();
    expect(await handlers.result(result("dream", {}, ""), context)).toBeUndefined();
    const failed = result("bash", { command: "make" }, "no\n\n\nCommand exited with code 3", {
      isError: true,
    });
    expect(await handlers.result(failed, context)).toBeUndefined();
    const steps = readIn(repo, "pi-1.jsonl").trim().split("\n").slice(2);
    expect(steps.map((line) => JSON.parse(line))).toMatchObject([
      { id: "read-1", command: "cat a.txt", output: "alpha", exitCode: 0 },
      { id: "read-1" },
      { id: "bash-1", command: "make", output: "no", exitCode: 3 },
    ]);
  }, 30_000);

  it("waits for a sidecar that says nothing three times, and no more", async () => {
    const repo = hookRepository();
    const mute = `${repo}/mute.js`;
    writeFileSync(mute, "setInterval(() => {}, 1000);");
    const handlers = handlersIn(repo, mute);
    const read = (id: number) => result("read", { path: "a" }, "a", { toolCallId: `r${id}` });
    await handlers.prompt({ prompt: "x" }, context);
    const atOnce = [1, 2, 3].map((id) => handlers.result(read(id), context));
    expect(await Promise.all(atOnce)).toEqual([undefined, undefined, undefined]);
    expect(await handlers.result(read(4), context)).toBeUndefined();
    let isOver = false;
    const late = handlers.result(read(5), context).then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(true);
    await late;
  }, 30_000);

  it("leaves results alone when the sidecar cannot be started", async () => {
    const handlers = handlersIn(hookRepository(), "/nowhere/main.js");
    await handlers.prompt({ prompt: "x" }, undefined);
    expect(await handlers.result(result("read", { path: "a" }, "a"), null)).toBeUndefined();
    expect(await handlers.result("no event", null)).toBeUndefined();
  }, 30_000);
});
