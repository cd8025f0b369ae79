import { describe, expect, it } from "vitest";
import { actionOf, heredoc } from "./repository.ts";

const table: readonly (readonly [string, string | null])[] = [
  [
    "cd /testbed && timeout 60 python -m pytest tests/a.py -x 2>&1 | tail -20",
    "python -m pytest tests/a.py -x",
  ],
  [
    `bash -lc "cd /testbed; FOO=1 grep -rn 'def flush' django | head -5"`,
    'grep -rn "def flush" django',
  ],
  ["timeout 60 python -m pytest tests -x -q | tail -5", "python -m pytest tests -x -q"],
  ["sed -n '1,40p' src/a.py", "sed -n 1,40p src/a.py"],
  ["sed -n 1,40p ./src/../src/a.py", "sed -n 1,40p src/a.py"],
  ["cd src && cat a.py ../setup.py", "cat src/a.py setup.py"],
  ["cat /testbed/src/a.py /etc/hosts", "cat src/a.py /etc/hosts"],
  ["/testbed/tests/runtests.py admin", "tests/runtests.py admin"],
  ["cd tests && python ./runtests.py -v 2 admin", "python tests/runtests.py -v 2 admin"],
  ["pytest /testbed/tests/test_a.py::T::test_x", "pytest tests/test_a.py::T::test_x"],
  ["find .   -name\t'*.py'", 'find . -name "*.py"'],
  ["cd src && ln -s ../b.py c.py", "ln -s ../b.py src/c.py"],
  ["git -C src log", "git -C src log"],
  ["ls > /dev/null 2>&1", "ls"],
  ["ls 2>/dev/null || true", "ls"],
  ["ls | head -n 5 | cat", "ls"],
  ["ls | head -5 | sort", "ls | head -5 | sort"],
  ["grep x src/a.py | tail -n +3", "grep x src/a.py"],
  ["cat src/a.py | head src/b.py", "cat src/a.py | head src/b.py"],
  ["head -5", "head -5"],
  ["ls\npwd\ncat setup.py", "ls; cat setup.py"],
  ["ls & cat setup.py", "ls & cat setup.py"],
  ["ls || cat setup.py", "ls || cat setup.py"],
  ["pwd && ls", "ls"],
  ["(cd src && ls) && { cat setup.py; }", "ls && cat setup.py"],
  ["if test -f x; then ls; else cat setup.py; fi", "ls; cat setup.py"],
  ["for f in a b; do cat $f; done", 'cat "$f"'],
  ["! grep -q x src/a.py", "grep -q x src/a.py"],
  ["sudo -u me env -i A=1 nice -n 5 nohup stdbuf -oL ls", "ls"],
  ["conda run -n env --no-capture-output poetry run npx eslint x.js", "eslint x.js"],
  ["env -S 'FOO=1 ls -l' src", "ls -l src"],
  ["eval 'ls -l'", "ls -l"],
  ["bash -euo pipefail -c 'ls; cat setup.py'", "ls; cat setup.py"],
  ["command -v python", null],
  ['find . -name "*.py" | xargs -0 -n 1 grep -l X', 'find . -name "*.py" | grep -l X'],
  ['echo "" > src/a.py', 'echo "" > src/a.py'],
  ["echo 'a\"b' > src/a.py", 'echo "a\\"b" > src/a.py'],
  ["grep -rn 'a\\.b' src", 'grep -rn "a\\.b" src'],
  ["echo hi; sleep 1; export A=b; date", null],
  ["echo a | head -3", null],
  ["echo a | tee -a src/a.py", "echo a | tee -a src/a.py"],
  ["sort < src/a.py", "sort < src/a.py"],
  ["cat <<< 'a b' > src/a.py", 'cat <<< "a b" > src/a.py'],
  ["> src/a.py", "> src/a.py"],
  [heredoc("cat > repro.py", "x"), "cat > repro.py <<6fcf9dfb>>"],
  [heredoc("cat", "x").replace("'EOF'", "'EOF' > repro.py"), "cat > repro.py <<6fcf9dfb>>"],
  [heredoc("python -", "x"), "python - <<6fcf9dfb>>"],
  [heredoc("cat", "x").replace("'EOF'", "'EOF' | python"), "cat <<6fcf9dfb>> | python"],
  [heredoc("cat", "x"), null],
  ["cat <<A <<B\nx\nA\ny\nB", null],
  ["python -c \"$(cat <<'E'\nx\nE\n)\"", 'python -c "$(cat <<6fcf9dfb>>\n)"'],
];

describe("the action string", () => {
  it.each(table)("%s", (command, action) => {
    expect(actionOf(command).normalized).toBe(action);
  });

  it("tells commands apart by range, pattern and body", () => {
    const actions = [
      "sed -n 1,40p src/a.py",
      "sed -n 41,80p src/a.py",
      "grep a src/a.py",
      "grep b src/a.py",
      heredoc("python -", "a"),
      heredoc("python -", "b"),
    ].map((command) => actionOf(command).normalized);
    expect(new Set(actions).size).toBe(6);
  });

  it("stays short, and still tells long commands apart", () => {
    const long = `grep ${"a".repeat(5000)} src`;
    const action = actionOf(long).normalized ?? "";
    expect(action).toHaveLength(2000);
    expect(action).toMatch(/^grep a{1900,}… [\da-f]{8}$/);
    expect(actionOf(`${long} -n`).normalized).not.toBe(action);
  });
});
