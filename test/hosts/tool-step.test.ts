import { describe, expect, it } from "vitest";
import { stepOf, type ToolCall } from "../../src/hosts/tool-step.ts";

const ran = (tool: string, input: ToolCall["input"], told: Partial<ToolCall> = {}) =>
  stepOf({ id: "call_1", tool, input, text: "", failed: false, ...told });

const report = (output: string, code: string) =>
  `Command: make\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;

describe("a host's tool call as a bash command", () => {
  it.each([
    ["run_shell_command", { command: "npm test" }, "npm test"],
    ["run_shell_command", { command: "ls", directory: "lib" }, "cd lib && ls"],
    ["Bash", { command: "git diff" }, "git diff"],
    ["bash", { command: "pytest -q" }, "pytest -q"],
    [
      "write_file",
      { file_path: "/repo/a.py", content: "x = 1\n" },
      "cat > /repo/a.py <<'EOF'\nx = 1\nEOF",
    ],
    ["write", { filePath: "/repo/b.js", content: "1" }, "cat > /repo/b.js <<'EOF'\n1\nEOF"],
    [
      "edit",
      { file_path: "/repo/a.py", old_string: "x = 1", new_string: "x = 2" },
      "sed -i -z 's/x = 1/x = 2/' /repo/a.py",
    ],
    [
      "Edit",
      { file_path: "a.py", old_string: "x", new_string: "y", replace_all: true },
      "sed -i -z 's/x/y/g' a.py",
    ],
    [
      "edit",
      { filePath: "a.js", oldString: "a/b", newString: "a&b" },
      "sed -i -z 's/a\\/b/a\\&b/' a.js",
    ],
    [
      "edit",
      {
        path: "a.txt",
        edits: [
          { oldText: "a", newText: "b" },
          { oldText: "c", newText: "d" },
        ],
      },
      "sed -i -z 's/a/b/' a.txt && sed -i -z 's/c/d/' a.txt",
    ],
    [
      "MultiEdit",
      { file_path: "a.py", edits: [{ old_string: "p", new_string: "q", replace_all: true }] },
      "sed -i -z 's/p/q/g' a.py",
    ],
    [
      "edit",
      { file_path: "n.py", old_string: "", new_string: "new" },
      "cat > n.py <<'EOF'\nnew\nEOF",
    ],
    ["read_file", { file_path: "/repo/a.py" }, "cat /repo/a.py"],
    ["Read", { file_path: "a b.py", offset: 10, limit: 5 }, "sed -n '10,14p' 'a b.py'"],
    ["read", { path: "a.py", offset: 0, limit: 20 }, "sed -n '1,20p' a.py"],
    ["read_many_files", { paths: ["a.py", "b.py"] }, "cat a.py b.py"],
    ["grep_search", { pattern: "def f" }, "grep -rn -e 'def f' ."],
    ["Grep", { pattern: "-v", path: "src", glob: "*.py" }, "grep -rn --include='*.py' -e -v src"],
    ["glob", { pattern: "src/**/*.ts" }, "find . -name '*.ts'"],
    ["find", { pattern: "*.md", path: "docs" }, "find docs -name '*.md'"],
    ["list_directory", { path: "/repo" }, "ls /repo"],
    ["web_fetch", { url: "http://127.0.0.1/x" }, "curl -s http://127.0.0.1/x"],
  ])("%s %j", (tool, input, command) => {
    expect(ran(tool, input)).toMatchObject({ type: "step", id: "call_1", command });
  });

  it.each([
    ["TodoWrite", "quiet"],
    ["agent", "quiet"],
    ["mcp__jira__read", "unknown"],
    ["", "unknown"],
    ["constructor", "unknown"],
  ])("%s is %s", (tool, expected) => {
    expect(ran(tool, {})).toBe(expected);
  });

  it("runs where the host's shell stands, unless the command says where", () => {
    const folder = "/repo/lib";
    expect(ran("Bash", { command: "ls" }, { folder })).toMatchObject({
      command: "cd /repo/lib && ls",
    });
    expect(ran("Bash", { command: "cd x && ls" }, { folder })).toMatchObject({
      command: "cd x && ls",
    });
  });

  it("takes a command's description for what was said with it", () => {
    const step = ran("run_shell_command", { command: "npm test", description: "Check the fix" });
    expect(step).toMatchObject({ thought: "Check the fix" });
  });
});

describe("what came of it", () => {
  it.each([
    ["qwen-code", report("3 passed", "0"), false, "3 passed", 0],
    ["qwen-code, nothing printed", report("(empty)", "0"), false, "", 0],
    ["qwen-code, failed", report("1 failed\nError: no", "3"), true, "1 failed\nError: no", 3],
    ["qwen-code, grep without a match", report("(empty)", "1"), false, "", 1],
    ["pi", "out\n\n\nCommand exited with code 3", true, "out", 3],
    ["Claude Code", "Exit code 2\nls: no such file", true, "ls: no such file", 2],
    ["no code told, went well", "out", false, "out", 0],
    ["no code told, failed", "not found", true, "not found", 1],
  ])("%s", (_, text, failed, output, exitCode) => {
    const step = ran("bash", { command: "make" }, { text, failed });
    expect(step).toMatchObject({ output, exitCode, timedOut: false });
  });

  it.each([
    ["qwen-code", report("half", "(none)")],
    ["pi", "half\n\nCommand timed out after 10 seconds"],
  ])("%s ended a command whose time was up", (_, text) => {
    const step = ran("bash", { command: "make" }, { text, failed: true });
    expect(step).toMatchObject({ exitCode: 124, timedOut: true });
  });

  it("is a number where the host tells one", () => {
    expect(ran("bash", { command: "make" }, { text: "out", exitCode: 3 })).toMatchObject({
      exitCode: 3,
    });
  });

  it("reads the report inside a truncated output", () => {
    const text = `Tool output was too large and has been truncated.\n\nTruncated part of the output:\n${report("line 1\nline 2", "0")}`;
    expect(ran("run_shell_command", { command: "make" }, { text })).toMatchObject({
      output: "line 1\nline 2",
      exitCode: 0,
    });
  });

  it("leaves out a block of ours that came back", () => {
    const text = "alpha\n\n[PLANMEM]\nphase=explore done=0/4\n[/PLANMEM]";
    expect(ran("read_file", { file_path: "a" }, { text })).toMatchObject({ output: "alpha" });
  });

  it("keeps both ends of a long output", () => {
    const step = ran("read_file", { file_path: "a" }, { text: `a${"é".repeat(20_000)}z` });
    if (typeof step === "string") throw new Error(step);
    expect(step.output).toMatch(/^aé+\n\[… 20004 bytes left out …\]\né+z$/);
  });

  it("failed for any other tool that the host counts as failed", () => {
    const told = { text: "File not found: /repo/nope", failed: true };
    expect(ran("read_file", { file_path: "/repo/nope" }, told)).toMatchObject({ exitCode: 1 });
  });
});

describe("a tool call of OpenHands", () => {
  const text = "12\n[The command completed with exit code 0.]\n";
  it.each([
    ["terminal", { command: "wc -l a.py" }, { text, exitCode: 0 }, "wc -l a.py", "12", 0],
    ["terminal", { command: "sleep 99" }, { exitCode: -1 }, "sleep 99", "", null],
    ["file_editor", { command: "view", path: "/r/a.py" }, {}, "cat -n /r/a.py", "", 0],
    [
      "file_editor",
      { command: "str_replace", path: "/r/a.py", old_str: "x", new_str: "y" },
      { text: "No such text.", failed: true },
      "sed -i -z 's/x/y/' /r/a.py",
      "No such text.",
      1,
    ],
  ] as const)("%s %j with %j is %s", (tool, input, told, command, output, exitCode) => {
    const timedOut = exitCode === null;
    expect(ran(tool, input, told)).toMatchObject({ command, output, exitCode, timedOut });
  });
});
