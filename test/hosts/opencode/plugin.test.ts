import { describe, expect, it } from "vitest";
import { opencodeHooks } from "../../../src/hosts/opencode/plugin.ts";
import { builtPmcoder } from "../../endurance/built-pmcoder.ts";
import { hookRepository, namesIn, readIn } from "../hook-world.ts";

const sessionID = "ses-1";
const hooksIn = (repo: string) =>
  opencodeHooks({ node: process.execPath, main: builtPmcoder(), cwd: repo });

const failed = (callID: string) => ({
  sessionID,
  callID,
  type: "tool",
  tool: "read",
  state: { status: "error", input: { filePath: "nope" }, error: "File not found" },
});

describe("the opencode plugin", () => {
  it("adds the block to an output, and to the error of a tool that threw, at each request", async () => {
    const repo = hookRepository();
    const hooks = hooksIn(repo);
    const message = { message: {}, parts: [{ type: "text", text: "parse() drops" }] };
    await expect
      .poll(() => hooks["chat.message"]({ sessionID }, message).then(() => namesIn(repo)))
      .toEqual(["ses-1.jsonl"]);
    const call = { tool: "bash", sessionID, callID: "c1", args: { command: "ls; exit 3" } };
    const output = { title: "", output: "a.txt", metadata: { exit: 3 } };
    await hooks["tool.execute.after"](call, output);
    expect(output.output).toMatch(/^a\.txt\n\n\[PLANMEM\]\nphase=explore[\s\S]*\[\/PLANMEM\]$/);
    const edit = {
      tool: "edit",
      sessionID,
      callID: "c2",
      args: { filePath: "src/a.js", oldString: "a", newString: "b" },
    };
    const edited = { output: "Edit applied successfully.", metadata: {} };
    await hooks["tool.execute.after"](edit, edited);
    expect(edited.output).toContain("phase=implement");

    const errors: string[] = [];
    for (let request = 1; request <= 2; request += 1) {
      const part = failed("c3");
      await hooks["experimental.chat.messages.transform"](
        {},
        { messages: [{ info: {}, parts: [part] }] },
      );
      errors.push(part.state.error);
    }
    expect(errors[1]).toBe(errors[0]);
    const steps = readIn(repo, "ses-1.jsonl").trim().split("\n").slice(2);
    expect(steps.map((line) => JSON.parse(line))).toMatchObject([
      { id: "c1", command: "ls; exit 3", exitCode: 3 },
      { id: "c2", exitCode: 0 },
      { id: "c3", command: "cat nope", output: "File not found", exitCode: 1 },
    ]);
  }, 30_000);

  it("takes anything for what it is", async () => {
    const hooks = hooksIn(hookRepository());
    for (const strange of [null, "text", {}, { messages: 3 }, { messages: [{ parts: [3] }] }]) {
      await hooks["chat.message"](strange, strange);
      await hooks["tool.execute.after"](strange, strange);
      await hooks["experimental.chat.messages.transform"](strange, strange);
    }
    const output = { output: "x", metadata: null };
    await hooks["tool.execute.after"](
      { tool: "todowrite", sessionID, callID: "t", args: {} },
      output,
    );
    expect(output.output).toBe("x");
  }, 30_000);
});
