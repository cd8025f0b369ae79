import { describe, expect, it } from "vitest";
import type { DetectorState } from "../../../src/domain/plan.ts";
import { detect } from "../../../src/substrate/planner/detect.ts";
import { type DetectInput, noEdits } from "../../../src/substrate/planner/seen-call.ts";
import { listingOf } from "../../../src/substrate/shell/action.ts";
import { noMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";

const listing = listingOf([
  "django/core/management/base.py",
  "src/a.py",
  "src/b.py",
  "tests/runtests.py",
  "tests/test_a.py",
  "sympy/core/tests/test_basic.py",
]);
const context = { root: "/testbed", listing };

/** Before any edit, and after one that fixed something. */
const e0 = noEdits;
const e1: DetectorState = { ...noEdits, sourceEdits: 1, repaired: true, edited: ["src/a.py"] };

const rules = { testBeforeEditIsHypothesis: true };

function detected(command: string, state: DetectorState, fields: Partial<DetectInput> = {}) {
  const { action } = understand(command, noMemory, context);
  const input = { text: "", command, action, preparesEdit: false, reproducer: null, ...fields };
  return detect(state, input, rules);
}

const heredoc = (head: string, body: string) => `${head} <<'EOF'\n${body}\nEOF`;
const look = "sed -n '100,140p' django/core/management/base.py";
const repro = heredoc("cat > repro.py", "print(1)");

describe("detect", () => {
  it.each<[number, string, string, DetectorState, string, string | null]>([
    [1, "ls -la", "", e0, "D9 inspect", "explore"],
    [2, 'cd /testbed && grep -rn "def flush" django | head', "", e0, "D9 inspect", "explore"],
    [3, 'find . -name "*.py" | xargs grep -l OutputWrapper', "", e0, "D9 inspect", "explore"],
    [4, look, "", e0, "D9 inspect", "explore"],
    [5, "nl -ba src/a.py | sed -n '1,40p'", "", e0, "D9 inspect", "explore"],
    [6, look, "The bug is in flush", e0, "D8 inspect", "hypothesize"],
    [7, look, "Let me look at the code; the bug is in flush", e0, "D9 inspect", "explore"],
    [8, 'python -c "import django; print(django.VERSION)"', "", e0, "D6 execute", "hypothesize"],
    [9, heredoc("python -", "print(open('src/a.py').read())"), "", e0, "D6 execute", "hypothesize"],
    [
      10,
      heredoc("python -", "p='src/a.py'\ns=open(p).read()\nopen(p,'w').write(s.replace('a','b'))"),
      "",
      e0,
      "D1 edit",
      "implement",
    ],
    [11, heredoc("python -", 'open(f"{d}/x.py","w")'), "", e0, "D1 edit", "implement"],
    [12, "sed -i 's/a/b/' src/a.py", "", e0, "D1 edit", "implement"],
    [13, "sed -i.bak -e 's/a/b/' -e 's/c/d/' src/a.py src/b.py", "", e0, "D1 edit", "implement"],
    [14, "perl -pi -e 's/x/y/' src/a.py", "", e0, "D1 edit", "implement"],
    [15, repro, "", e0, "D5 edit", "hypothesize"],
    [
      16,
      `${heredoc("cat > /tmp/fix.patch", "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b")}\ngit apply /tmp/fix.patch`,
      "",
      e0,
      "D1 edit",
      "implement",
    ],
    [17, "git apply --check /tmp/fix.patch", "", e0, "D11 review", null],
    [
      18,
      heredoc("git apply", "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b"),
      "",
      e0,
      "D1 edit",
      "implement",
    ],
    [19, "patch -p1 --dry-run < x.diff", "", e0, "D11 review", null],
    [20, 'echo "x = 1" >> src/a.py', "", e0, "D1 edit", "implement"],
    [21, "echo hi > /dev/null", "", e0, "D11 none", null],
    [22, "grep foo src/a.py > /tmp/o.txt", "", e0, "D9 inspect", "explore"],
    [23, "pytest tests/test_a.py 2>&1 | tee /tmp/log", "", e0, "D3 test", "hypothesize"],
    [23, "pytest tests/test_a.py 2>&1 | tee /tmp/log", "", e1, "D3 test", "verify"],
    [24, "timeout 60 python -m pytest tests -x -q | tail -5", "", e1, "D3 test", "verify"],
    [
      25,
      'bash -lc "cd tests && ./runtests.py admin_views --parallel 1"',
      "",
      e1,
      "D3 test",
      "verify",
    ],
    [26, "FOO=1 env BAR=2 tox -e py39", "", e1, "D3 test", "verify"],
    [27, "pytest --collect-only -q", "", e1, "D9 inspect", "explore"],
    [28, "python repro.py", "", e1, "D4 execute", "verify"],
    [29, "python repro.py", "Now verify the fix", e1, "D4 execute", "verify"],
    [31, "sed -i 's/a/b/' src/a.py && pytest tests", "", e0, "D1 edit", "implement"],
    [32, "git checkout -- src/a.py", "", e1, "D2 revert", "implement"],
    [33, "git stash", "", e1, "D2 revert", "implement"],
    [34, "git stash pop", "", e1, "D1 edit", "implement"],
    [35, "git checkout -b fix", "", e0, "D11 setup", null],
    [36, "git diff", "", e0, "D11 review", null],
    [36, "git diff", "", e1, "D10a review", "verify"],
    [37, "git diff", "let me verify my fix", e1, "D10a review", "verify"],
    [38, "git log -S flush -- src/a.py", "", e0, "D7 history", "hypothesize"],
    [39, "git log --oneline -5", "", e0, "D9 inspect", "explore"],
    [40, "pip install -e . -q", "", e0, "D11 setup", null],
    [41, "mkdir -p /tmp/x", "", e0, "D11 setup", null],
    [42, "cp src/a.py src/a.py.bak", "", e0, "D5 edit", "hypothesize"],
    [43, "mv src/a.py src/b.py", "", e0, "D1 edit", "implement"],
    [44, `${repro}\nrm repro.py`, "", e0, "D5 edit", "hypothesize"],
    [45, "black src/a.py", "", e0, "D1 edit", "implement"],
    [46, heredoc("tee src/a.py", "x"), "", e0, "D1 edit", "implement"],
    [47, "for f in src/a.py src/b.py; do sed -i 's/x/y/' $f; done", "", e0, "D1 edit", "implement"],
    [48, "cd src && sed -i 's/x/y/' a.py", "", e0, "D1 edit", "implement"],
    [49, 'echo "All tests passed, fix verified"', "", e1, "D11 none", null],
    [50, "bin/test sympy/core/tests/test_basic.py", "", e1, "D3 test", "verify"],
    [51, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt", "", e1, "D0 submit", null],
    [53, "git diff -- src/a.py > patch.txt", "", e1, "D11 review", null],
    [54, `${repro}\npython repro.py`, "", e0, "D5 edit", "hypothesize"],
    [55, `${repro}\npython repro.py`, "verify the fix", e1, "D4 execute", "verify"],
    [
      56,
      `${heredoc("cat > test_x.py", "def test(): pass")}\npytest test_x.py`,
      "",
      e1,
      "D3 test",
      "verify",
    ],
    [57, "grep -n flush src/a.py > src/out.py", "", e0, "D1 edit", "implement"],
    [58, "git checkout src/a.py", "", e1, "D2 revert", "implement"],
    [59, "pip install -e . > /tmp/log 2>&1", "", e0, "D11 setup", null],
    [60, "find src -name \"*.py\" -exec sed -i 's/x/y/' {} +", "", e0, "D1 edit", "implement"],
    [61, look, "this fits my diagnosis", e0, "D8 inspect", "hypothesize"],
  ])("row %i: %s (%s)", (_row, command, text, state, expected, phase) => {
    const { rule, kind, phase: proposed } = detected(command, state, { text });
    expect([`${rule.split(" ")[0]} ${kind}`, proposed]).toEqual([expected, phase]);
  });

  it("takes the admitted reproducer after a fix for a check", () => {
    const reproducer = "/repro/run.py";
    const { phase, isCheck } = detected(`python ${reproducer}`, e1, { reproducer });
    expect([phase, isCheck]).toEqual(["verify", true]);
    expect(detected("python repro.py", e1, { reproducer }).isCheck).toBe(false);
  });

  it.each([
    ["I suspect the descriptor", e0, "hypothesize"],
    ["Let me look at the tests first", e0, "explore"],
    ["I have to verify the fix", e1, "verify"],
    ["I have to verify the fix", e0, null],
    ["Done.", e1, null],
  ])("hears in %j without a command: %j", (text, state, phase) => {
    expect(
      detect(
        state,
        { text, command: "", action: null, preparesEdit: false, reproducer: null },
        rules,
      ).phase,
    ).toBe(phase);
  });

  it("can take a test run before any edit for verification", () => {
    const { action } = understand("pytest tests", noMemory, context);
    const input = {
      text: "",
      command: "pytest tests",
      action,
      preparesEdit: false,
      reproducer: null,
    };
    expect(detect(e0, input, { testBeforeEditIsHypothesis: false }).phase).toBe("verify");
  });
});
