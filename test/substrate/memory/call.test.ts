import { describe, expect, it } from "vitest";
import { callOf } from "../../../src/substrate/memory/call.ts";
import { listingOf } from "../../../src/substrate/shell/action.ts";
import { noMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";

const listing = listingOf(["src/a.py", "src/b.py", "tests/test_a.py", "setup.py"]);

/** What memory keeps of one command run in the repository. */
function call(command: string, exitCode: number | null = 0) {
  const { action } = understand(command, noMemory, { root: "/testbed", listing });
  const step = { index: 3, thought: "", command, output: "", exitCode, timedOut: false };
  return callOf(step, action);
}

describe("callOf", () => {
  it.each([
    ["sed -n 1,40p src/a.py", { read: ["src/a.py"], touched: ["src/a.py"], isRead: true }],
    ["cat /testbed/src/a.py | head", { read: ["src/a.py"], isRead: true }],
    ["cd src && cat a.py b.py", { read: ["src/a.py", "src/b.py"], isRead: true }],
    ["ls src", { read: [], touched: [], isRead: true }],
    ["cat src/a.py && python setup.py", { read: ["src/a.py"], isRead: false }],
    [
      "pytest tests/test_a.py",
      { read: [], touched: [], files: ["tests/test_a.py"], isRead: false },
    ],
    [
      "sed -i s/a/b/ src/a.py",
      { read: [], edited: ["src/a.py"], touched: ["src/a.py"], isSourceEdit: true },
    ],
    [
      "cat > repro.py <<'EOF'\nimport a\nEOF",
      { edited: ["repro.py"], files: ["repro.py"], touched: [], isSourceEdit: false },
    ],
    ["git checkout -- src/a.py", { isRevert: true, reverted: ["src/a.py"], touched: ["src/a.py"] }],
    ["rm src/b.py", { edited: ["src/b.py"], isSourceEdit: true }],
    ["find src -name '*.py' -exec sed -i s/a/b/ {} +", { edited: [], isSourceEdit: true }],
    ["grep -n x src/a.py", { read: ["src/a.py"], isSearch: true, action: "grep -n x src/a.py" }],
    ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", { isSubmit: true, files: [] }],
    ["", { action: null, files: [], isRead: false }],
  ])("%s", (command, facts) => {
    expect(call(command)).toMatchObject(facts);
  });

  it("keeps the turn, the text and the exit code as they came", () => {
    expect(call("true", null)).toMatchObject({ turn: 3, command: "true", exitCode: null });
  });
});
