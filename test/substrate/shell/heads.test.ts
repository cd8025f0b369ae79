import { describe, expect, it } from "vitest";
import type { SegmentClass } from "../../../src/substrate/shell/action.ts";
import { actionOf, heredoc } from "./repository.ts";

const table: Readonly<Partial<Record<SegmentClass, readonly string[]>>> = {
  inspect: [
    "egrep x src/a.py",
    "rg x",
    "wc -l src/a.py",
    "git show HEAD",
    "git ls-files",
    "git grep -n x",
    "git cat-file -p HEAD",
    "git rev-parse HEAD",
    "git stash list",
    "python -m pydoc os",
    "pip show sympy",
    "pytest --version",
    "python runtests.py --help",
    "python --version",
    "tree -L 2",
    "awk '{print $1}' src/a.py",
    "python -m json.tool src/a.py",
    "repomem search-commit 'nested brackets'",
    "/tmp/records/repomem/repomem examine-commit abc123456",
  ],
  review: [
    "git status",
    "git diff --stat",
    "diff src/a.py src/b.py",
    "cmp a b",
    "git apply --stat x.diff",
    "isort --check-only src",
  ],
  history: [
    "git blame src/a.py",
    "git bisect start",
    "git log -Gx",
    "git log --grep=x",
    "git log -L 1,5:src/a.py",
  ],
  test: [
    "python3.9 -m pytest",
    "/usr/bin/python3 -m unittest tests.test_a",
    "nosetests",
    "python tests/runtests.py admin",
    "python bin/test x",
    "bin/doctest",
    "python manage.py test",
    "./manage.py test app",
    "django-admin test",
    "python -c 'x' && python setup.py test",
    "python -m sympy.testing.runtests",
    "python -m doctest src/a.py",
    "make check",
    "make -j4 test",
    "npm test",
    "npm run test:unit",
    "yarn test",
    "pnpm test",
    "npx jest",
    "vitest run",
    "go test ./...",
    "cargo test",
    "ctest",
    "mvn -q test",
    "./gradlew test",
    "rspec",
    "node --test",
    "coverage run -m pytest tests",
    "trial x",
  ],
  setup: [
    "python -m pip install x",
    "apt-get install -y x",
    "conda install x",
    "python setup.py build_ext --inplace",
    "python setup.py develop",
    "make",
    "chmod +x a.sh",
    "git add -A",
    "git commit -qam x",
    "git checkout main",
    "git switch main",
    "git restore --staged src/a.py",
    "git reset HEAD src/a.py",
    "git stash drop",
    "npm ci",
  ],
  revert: [
    "git checkout .",
    "git checkout HEAD~1 -- src/a.py",
    "git checkout src",
    "git restore src/a.py",
    "git restore --staged --worktree src/a.py",
    "git stash push",
    "git reset --hard",
    "git clean -fd",
    "git revert HEAD",
    "git apply -R x.diff",
    "patch -R -p1 < x.diff",
  ],
  execute: [
    "python src/a.py",
    "python -m http.server",
    "ipython -c 'x'",
    "node x.js",
    "node -e 'x'",
    "ruby x.rb",
    "perl -e 'print 1'",
    "./script",
    "bash fix.sh",
    "gdb --args python",
    "python -W error x.py",
    "django/x.py",
  ],
  submit: [
    "submit",
    "printf 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\\n' && git diff",
    heredoc("cat", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
    "echo MINI_SWE_AGENT_FINAL_OUTPUT",
  ],
  neutral: [
    "cd src",
    "echo run COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT later",
    "set -e",
    "source venv/bin/activate",
    ". venv/bin/activate",
    "conda activate x",
    "[ -f x ]",
    "[[ -f x && -d y ]]",
    "test -f x",
    "sleep 5",
    "which python",
    "exit 0",
    "true",
    ":",
    "(( i++ ))",
    heredoc("cat", "x"),
  ],
  other: ["sphinx-build . out", "pylint src/a.py", "git", "git frobnicate", "dd if=x", "cargo fmt"],
};

describe("what a program does", () => {
  const rows = Object.entries(table).flatMap(([kind, commands]) =>
    commands.map((command) => [command, kind] as const),
  );

  it.each(rows)("%s: %s", (command, kind) => {
    expect(actionOf(command).segments.at(command.includes("SUBMIT") ? 0 : -1)?.class).toBe(kind);
  });

  it("takes a filter of a pipe for no look at a file of its own", () => {
    const kinds = (command: string) => actionOf(command).segments.map((segment) => segment.class);
    expect(kinds("git diff | head -20 | grep x")).toEqual(["review", "neutral", "neutral"]);
    expect(kinds("git diff | grep x src/a.py")).toEqual(["review", "inspect"]);
    expect(kinds("git ls-files | xargs grep x")).toEqual(["inspect", "inspect"]);
  });

  it("names the script that runs, relative to the root", () => {
    const scripts = [
      "python /testbed/repro.py a",
      "cd tests && ./x.sh",
      "bash ../x.sh",
      "python -c x",
    ].map((command) => actionOf(command).segments.at(-1)?.script);
    expect(scripts).toEqual(["repro.py", "tests/x.sh", "/x.sh", null]);
  });

  it("keeps test targets apart from options and their values", () => {
    const targets = (command: string) => actionOf(command).segments[0]?.targets;
    expect(targets("pytest -k 'a or b' -p no:x --maxfail 2 tests/test_a.py src")).toEqual([
      "tests/test_a.py",
      "src",
    ]);
    expect(targets("python manage.py test app.tests --parallel 2")).toEqual(["app.tests"]);
    expect(targets("go test ./pkg -run X")).toEqual(["./pkg", "X"]);
    expect(targets("pytest")).toEqual([]);
  });
});
