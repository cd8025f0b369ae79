import { describe, expect, it } from "vitest";
import { ipythonCommand } from "../../src/trajectories/ipython-command.ts";
import { bashOf as openHandsBash } from "../../src/trajectories/openhands-tool.ts";
import { bashOf as sweAgentBash } from "../../src/trajectories/swe-agent-action.ts";

describe("SWE-agent actions as bash", () => {
  const editor = { file: "/r/open.py", cursors: [3, 4] as const };
  const shown =
    "[File: /r/a.py (90 lines total)]\n(10 more lines above)\n11:x\n12:y\n(78 more lines below)";

  it.each([
    ["pytest -q | tail", "1 passed", "pytest -q | tail", null],
    ["open a.py 11", shown, "sed -n '11,12p' a.py", 0],
    ["open nowhere.py", "File nowhere.py not found", "cat nowhere.py", 1],
    ["goto 11", shown, "sed -n '11,12p' /r/open.py", 0],
    ["scroll_down", "No file open. Use the open command first.", "cat /r/open.py", 1],
    ["create new.py", "[File: /r/new.py (1 lines total)]\n1:", "echo > new.py", 0],
    ["create a.py", "Error: File 'a.py' already exists.", "echo > a.py", 1],
    ["edit\nz = 1\nend_of_edit", shown, "sed -i '3,4c\\\nz = 1' /r/a.py", 0],
    [
      "edit 'x' 'it is' True",
      `Replaced 2 occurrences.\n${shown}`,
      "sed -i -z 's/x/it is/g' /r/a.py",
      0,
    ],
    ["edit 'q' 'z'", "Text not found. Please check.", "sed -i -z 's/q/z/' /r/open.py", 1],
    ["insert 'z = 1'", shown, "cat >> /r/open.py <<'EOF'\nz = 1\nEOF", 0],
    ["insert 'z = 1' 4", shown, "sed -i '4a\\\nz = 1' /r/open.py", 0],
    ["find_file '*.py' src", 'No matches found for "*.py" in src', "find src -name '*.py'", 1],
    ["search_file foo", "Found 1 matches", "grep -n foo /r/open.py", 0],
    ["search_dir 'a b' src", "Found 1 matches", "grep -rn 'a b' src", 0],
    ["str_replace_editor view /r/a.py --view_range 1 9", "1\tx", "sed -n '1,9p' /r/a.py", 0],
    [
      "str_replace_editor create /r/b.py --file_text 'x = 1\n'",
      "File created",
      "cat > /r/b.py <<'EOF'\nx = 1\nEOF",
      0,
    ],
    [
      "str_replace_editor str_replace /r/a.py --old_str 'a' --new_str 'b'",
      "No replacement was performed",
      "sed -i -z 's/a/b/' /r/a.py",
      1,
    ],
    [
      "str_replace_editor insert /r/a.py --insert_line 2 --new_str 'b'",
      "The file /r/a.py has been edited.",
      "sed -i '2a\\\nb' /r/a.py",
      0,
    ],
    [
      "submit",
      "diff",
      "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached",
      0,
    ],
  ])("%j", (action, observation, command, exitCode) => {
    expect(sweAgentBash(action, observation, editor)).toEqual({ command, exitCode });
  });
});

describe("OpenHands tools as bash", () => {
  const bash = (tool: string, input: Record<string, unknown>, output: string, exitCode = null) => {
    const { command, result } = openHandsBash({ tool, input, output, exitCode });
    return [command, result.exitCode, result.timedOut];
  };

  it.each([
    ["execute_bash", { command: "ls" }, "a\n[Command finished with exit code 2]", ["ls", 2, false]],
    ["execute_bash", { command: "C-c", is_input: "true" }, "^C", [": C-c", null, false]],
    [
      "execute_bash",
      { command: "" },
      "[The command has no new output after 10 seconds.]",
      [":", null, true],
    ],
    [
      "str_replace_editor",
      { command: "undo_edit", path: "/w/a.py" },
      "Last edit undone",
      ["git checkout -- /w/a.py", 0, false],
    ],
    [
      "edit_file",
      { path: "/w/a.py", start: 1, end: -1, content: "x" },
      "ok",
      ["cat > /w/a.py <<'EOF'\nx\nEOF", 0, false],
    ],
    [
      "edit_file",
      { path: "/w/a.py", start: 2, end: 3, content: "x" },
      "ok",
      ["sed -i '2,3c\\\nx' /w/a.py", 0, false],
    ],
    [
      "browse",
      { url: "https://a.example/b?c" },
      "page",
      ["curl -s 'https://a.example/b?c'", null, false],
    ],
    ["task_tracker", { command: "plan" }, "ok", [":", 0, false]],
    ["toString", {}, "", [":", 0, false]],
  ])("%s %j", (tool, input, output, expected) => {
    expect(bash(tool, input, output)).toEqual(expected);
  });
});

describe("IPython cells as bash", () => {
  it.each([
    ["open_file('/w/a.py')", "cat /w/a.py"],
    ['open_file("/w/a.py", 100)', "sed -n '50,150p' /w/a.py"],
    ["create_file('/w/b.py')", "touch /w/b.py"],
    ["print(find_file('a.py', '/w'))", "find /w -name a.py"],
    ["search_dir('def f(', dir_path='/w')", "grep -rn 'def f(' /w"],
    ["insert_content_at_line('/w/a.py', 3, 'x = \"1\"\\n')", "sed -i '2a\\\nx = \"1\"' /w/a.py"],
    [
      `edit_file_by_replace(file_name="/w/a.py", to_replace='''it's "so"''', new_content="")`,
      `sed -i -z 's/it'\\''s "so"//' /w/a.py`,
    ],
    ["import os\nprint(os.getcwd())", "python3 - <<'EOF'\nimport os\nprint(os.getcwd())\nEOF"],
  ])("%j", (code, command) => {
    expect(ipythonCommand(code)).toBe(command);
  });
});
