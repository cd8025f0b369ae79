import { describe, expect, it } from "vitest";
import { isScratch, toolFolderOf } from "../../src/domain/scratch.ts";

describe("isScratch", () => {
  it.each([
    "repro.py",
    "repro_12.py",
    "reproduce_issue.py",
    "test_fix.py",
    "debug-2.js",
    "check.sh",
    "verify_fix.py",
    "demo.ts",
    "example.py",
    "script.rb",
    "tmp.txt",
    "issue_42.py",
    "bug.c",
    "simple.test.js",
    "minimal.go",
    "final_check.py",
    "Repro.java",
    "fix.patch",
    "src/a.py.bak",
    "src/a.py.orig",
    "src/a.py.rej",
    "out/run.log",
    "changes.diff",
    "pkg/__pycache__/a.cpython-311.pyc",
    "a.pyc",
    ".pytest_cache/v/cache/lastfailed",
    "node_modules/left-pad/index.js",
  ])("leaves %s out", (path) => {
    expect(isScratch(path)).toBe(true);
  });

  it.each([
    "tests/test_fix.py",
    "src/debug.py",
    "examples/simple.py",
    "newmodule.py",
    "test.py",
    "repro",
    "tests.py",
    "README.md",
    "changelog/123.bugfix.rst",
    "src/logging.py",
    "patch.py",
    "a.logs",
    "my__pycache__/a.py",
  ])("keeps %s", (path) => {
    expect(isScratch(path)).toBe(false);
  });
});

describe("toolFolderOf", () => {
  it.each([
    ["node_modules/a/node_modules/b.js", "node_modules/"],
    ["pkg/sub/__pycache__/x.pyc", "pkg/sub/__pycache__/"],
    ["pkg/a.py", null],
  ])("of %s is %s", (path, folder) => {
    expect(toolFolderOf(path)).toBe(folder);
  });
});
