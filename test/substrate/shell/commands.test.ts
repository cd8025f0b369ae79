import { describe, expect, it } from "vitest";
import { actionOf, classesOf, heredoc } from "./repository.ts";

const base = "django/core/management/base.py";
const patchOfA = ["--- a/src/a.py", "+++ b/src/a.py", "@@ -1 +1 @@", "-a", "+b"];

/** Command, the classes of its segments in order, and what the one that matters does to files. */
const table: readonly (readonly [string, readonly string[], Record<string, unknown>])[] = [
  ["ls -la", ["inspect ls"], {}],
  [
    'cd /testbed && grep -rn "def flush" django | head',
    ["neutral cd", "inspect grep", "neutral head"],
    { reads: ["django"] },
  ],
  [
    'find . -name "*.py" | xargs grep -l OutputWrapper',
    ["inspect find", "inspect grep"],
    { reads: ["."] },
  ],
  [`sed -n '100,140p' ${base}`, ["inspect sed"], { reads: [`${base}:100-140`] }],
  ["nl -ba src/a.py | sed -n '1,40p'", ["inspect nl", "neutral sed"], { reads: ["src/a.py:1-40"] }],
  ['python -c "import django; print(django.VERSION)"', ["execute python"], {}],
  [heredoc("python -", "print(open('src/a.py').read())"), ["execute python"], {}],
  [
    heredoc(
      "python -",
      "p='src/a.py'",
      "s=open(p).read()",
      "open(p,'w').write(s.replace('a','b'))",
    ),
    ["edit python"],
    { edited: ["src/a.py"], source: ["src/a.py"] },
  ],
  [heredoc("python -", 'open(f"{d}/x.py","w")'), ["edit python"], { unresolved: true }],
  ["sed -i 's/a/b/' src/a.py", ["edit sed"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  [
    "sed -i.bak -e 's/a/b/' -e 's/c/d/' src/a.py src/b.py",
    ["edit sed"],
    {
      edited: ["src/a.py", "src/b.py"],
      created: ["src/a.py.bak", "src/b.py.bak"],
      source: ["src/a.py", "src/b.py"],
    },
  ],
  ["perl -pi -e 's/x/y/' src/a.py", ["edit perl"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  [heredoc("cat > repro.py", "x"), ["edit cat"], { created: ["repro.py"] }],
  [
    `${heredoc("cat > /tmp/fix.patch", ...patchOfA)}\ngit apply /tmp/fix.patch`,
    ["edit cat", "edit git"],
    { created: ["/tmp/fix.patch"], edited: ["src/a.py"], source: ["src/a.py"] },
  ],
  ["git apply --check /tmp/fix.patch", ["review git"], {}],
  [heredoc("git apply", ...patchOfA), ["edit git"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  ["patch -p1 --dry-run < x.diff", ["review patch"], {}],
  ['echo "x = 1" >> src/a.py', ["edit echo"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  ["echo hi > /dev/null", ["neutral echo"], {}],
  [
    "grep foo src/a.py > /tmp/o.txt",
    ["inspect grep"],
    { reads: ["src/a.py"], captured: ["/tmp/o.txt"] },
  ],
  [
    "pytest tests/test_a.py 2>&1 | tee /tmp/log",
    ["test pytest", "neutral tee"],
    { reads: ["tests/test_a.py"], targets: ["tests/test_a.py"], captured: ["/tmp/log"] },
  ],
  [
    "timeout 60 python -m pytest tests -x -q | tail -5",
    ["test pytest", "neutral tail"],
    { reads: ["tests"], targets: ["tests"] },
  ],
  [
    'bash -lc "cd tests && ./runtests.py admin_views --parallel 1"',
    ["neutral cd", "test runtests.py"],
    { targets: ["admin_views"] },
  ],
  ["FOO=1 env BAR=2 tox -e py39", ["test tox"], {}],
  ["pytest --collect-only -q", ["inspect pytest"], {}],
  ["python repro.py", ["execute python"], {}],
  [
    "sed -i 's/a/b/' src/a.py && pytest tests",
    ["edit sed", "test pytest"],
    { edited: ["src/a.py"], source: ["src/a.py"], reads: ["tests"], targets: ["tests"] },
  ],
  ["git checkout -- src/a.py", ["revert git"], { reverted: ["src/a.py"] }],
  ["git stash", ["revert git"], { unresolved: true }],
  ["git stash pop", ["edit git"], { unresolved: true }],
  ["git checkout -b fix", ["setup git"], {}],
  ["git diff", ["review git"], {}],
  ["git log -S flush -- src/a.py", ["history git"], { reads: ["src/a.py"] }],
  ["git log --oneline -5", ["inspect git"], {}],
  ["pip install -e . -q", ["setup pip"], {}],
  ["mkdir -p /tmp/x", ["setup mkdir"], {}],
  ["cp src/a.py src/a.py.bak", ["edit cp"], { created: ["src/a.py.bak"] }],
  [
    "mv src/a.py src/b.py",
    ["edit mv"],
    { deleted: ["src/a.py"], edited: ["src/b.py"], source: ["src/a.py", "src/b.py"] },
  ],
  ["rm repro.py", ["edit rm"], { deleted: ["repro.py"] }],
  ["black src/a.py", ["edit black"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  [heredoc("tee src/a.py", "x"), ["edit tee"], { edited: ["src/a.py"], source: ["src/a.py"] }],
  [
    "for f in src/a.py src/b.py; do sed -i 's/x/y/' $f; done",
    ["edit sed"],
    { edited: ["src/a.py", "src/b.py"], source: ["src/a.py", "src/b.py"] },
  ],
  [
    "cd src && sed -i 's/x/y/' a.py",
    ["neutral cd", "edit sed"],
    { edited: ["src/a.py"], source: ["src/a.py"] },
  ],
  ['echo "All tests passed, fix verified"', ["neutral echo"], {}],
  [
    "bin/test sympy/core/tests/test_basic.py",
    ["test test"],
    {
      reads: ["sympy/core/tests/test_basic.py"],
      targets: ["sympy/core/tests/test_basic.py"],
    },
  ],
  [
    "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt",
    ["submit echo", "inspect cat"],
    {},
  ],
  [
    "git diff -- src/a.py > patch.txt",
    ["review git"],
    { reads: ["src/a.py"], captured: ["patch.txt"] },
  ],
  [
    `${heredoc("cat > repro.py", "x")}\npython repro.py`,
    ["edit cat", "execute python"],
    { created: ["repro.py"], reads: ["repro.py"] },
  ],
  [
    `${heredoc("cat > test_x.py", "x")}\npytest test_x.py`,
    ["edit cat", "test pytest"],
    { created: ["test_x.py"], reads: ["test_x.py"], targets: ["test_x.py"] },
  ],
  [
    "grep -n flush src/a.py > src/out.py",
    ["edit grep"],
    { created: ["src/out.py"], source: ["src/out.py"] },
  ],
  ["git checkout src/a.py", ["revert git"], { reverted: ["src/a.py"] }],
  ["pip install -e . > /tmp/log 2>&1", ["setup pip"], { captured: ["/tmp/log"] }],
  [
    "find src -name \"*.py\" -exec sed -i 's/x/y/' {} +",
    ["inspect find", "edit sed"],
    { reads: ["src"], unresolved: true },
  ],
];

/** The lists of an action that hold anything, reads as `path:from-to`. */
function told(command: string): Record<string, unknown> {
  const action = actionOf(command);
  const lists = {
    reads: action.reads.map(({ path, lines }) =>
      [path, ...lines.map(({ from, to }) => `${from}-${to ?? ""}`)].join(":"),
    ),
    edited: action.edited,
    created: action.created,
    deleted: action.deleted,
    reverted: action.reverted,
    captured: action.captured,
    source: action.segments.flatMap((segment) => segment.source),
    targets: action.segments.flatMap((segment) => segment.targets),
  };
  const unresolved = action.segments.some((segment) => segment.unresolved);
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(filled), ...(unresolved && { unresolved }) };
}

describe("classes and files", () => {
  it.each(table)("%s", (command, classes, files) => {
    expect(classesOf(actionOf(command))).toEqual(classes);
    expect(told(command)).toEqual(files);
  });
});
