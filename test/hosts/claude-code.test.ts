import { describe, expect, it } from "vitest";
import { readHookEvent } from "../../src/hosts/hook-event.ts";
import { event, type HookFields } from "./events.ts";

/** What Claude Code's types say of a tool's end: no tool_call_id, no timestamp, a shape for each tool. */
function stepAfter(tool_name: string, tool_input: object, tool_response: unknown) {
  return stepIn(
    event("PostToolUse", { tool_name, tool_input, tool_response, tool_use_id: "toolu_1" }),
  );
}

function stepIn(fields: HookFields) {
  const read = readHookEvent(JSON.stringify(fields), (cwd) => cwd);
  if (typeof read === "string" || read.event.does !== "step") return read;
  return read.event.steps[0];
}

const file_path = "/repo/src/parse.js";

describe("Claude Code's events", () => {
  it.each([
    [
      "Bash",
      { command: "npm test" },
      { stdout: "ok", stderr: "", interrupted: false },
      "npm test",
      "ok",
    ],
    ["Bash", { command: "make" }, { stdout: "a", stderr: "b", interrupted: false }, "make", "a\nb"],
    [
      "Read",
      { file_path },
      { type: "text", file: { filePath: file_path, content: "export const a = 1;", numLines: 1 } },
      `cat ${file_path}`,
      "export const a = 1;",
    ],
    [
      "Edit",
      { file_path, old_string: "1", new_string: "2" },
      {
        filePath: file_path,
        originalFile: "1\n",
        structuredPatch: [{ oldStart: 1, lines: ["-1", "+2"] }],
      },
      `sed -i -z 's/1/2/' ${file_path}`,
      "-1\n+2",
    ],
    [
      "Write",
      { file_path, content: "1\n" },
      { type: "create", filePath: file_path, content: "1\n", structuredPatch: [] },
      `cat > ${file_path} <<'EOF'\n1\nEOF`,
      "1\n",
    ],
    [
      "Glob",
      { pattern: "*.js" },
      { filenames: ["a.js", "b.js"], numFiles: 2 },
      "find . -name '*.js'",
      "a.js\nb.js",
    ],
    [
      "Grep",
      { pattern: "x" },
      { mode: "content", filenames: [], content: "a.js:1:x" },
      "grep -rn -e x .",
      "a.js:1:x",
    ],
  ])("%s %j", (tool, input, response, command, output) => {
    expect(stepAfter(tool, input, response)).toMatchObject({
      id: "toolu_1",
      command,
      output,
      exitCode: 0,
    });
  });

  it("tell a failure by its own event", () => {
    const tool_input = { command: "npm test", description: "Run the tests" };
    const error = "Exit code 1\nnot ok 1";
    const fields = event("PostToolUseFailure", {
      tool_name: "Bash",
      tool_input,
      tool_use_id: "t",
      error,
    });
    expect(stepIn(fields)).toMatchObject({
      id: "t",
      thought: "Run the tests",
      output: "not ok 1",
      exitCode: 1,
    });
  });

  it("tell of a batch in the shape of each tool", () => {
    const tool_response = { stdout: "ok", stderr: "", interrupted: false };
    const call = {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "t",
      tool_response,
    };
    expect(stepIn(event("PostToolBatch", { tool_calls: [call] }))).toMatchObject({
      command: "ls",
      output: "ok",
    });
  });
});
