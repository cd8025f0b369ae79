import { describe, expect, it } from "vitest";
import { actionOf } from "./repository.ts";

/** Command, and the lines that it shows of `src/a.py`; empty: all of them, or nobody can tell. */
const table: readonly (readonly [string, readonly string[]])[] = [
  ["cat src/a.py", []],
  ["sed -n 10,20p src/a.py", ["10-20"]],
  ["sed -n '10p' src/a.py", ["10-10"]],
  ["sed -n '10,$p' src/a.py", ["10-"]],
  ["sed -n '10,+5p' src/a.py", ["10-15"]],
  ["sed -n '20,10p' src/a.py", ["20-20"]],
  ["sed -n '1,5p;10,20p' src/a.py", ["1-5", "10-20"]],
  ["sed -n -e 1,5p -e 10,20p src/a.py", ["1-5", "10-20"]],
  ["sed -n '10,20{p}' src/a.py", ["10-20"]],
  ["sed -n '10,20p;20q' src/a.py", ["10-20"]],
  ["sed -n '/def x/,/^$/p' src/a.py", []],
  ["sed 10,20p src/a.py", []],
  ["head src/a.py", ["1-10"]],
  ["head -n 40 src/a.py", ["1-40"]],
  ["head -n40 src/a.py", ["1-40"]],
  ["head -40 src/a.py", ["1-40"]],
  ["head --lines=40 src/a.py", ["1-40"]],
  ["head -c 40 src/a.py", []],
  ["head -n -5 src/a.py", []],
  ["tail -n +100 src/a.py", ["100-"]],
  ["tail -20 src/a.py", []],
  ["awk 'NR>=10 && NR<=20' src/a.py", ["10-20"]],
  ["awk 'NR>9 && NR<21 {print}' src/a.py", ["10-20"]],
  ["awk 'NR==5,NR==9' src/a.py", ["5-9"]],
  ["awk 'NR==7 {print NR\": \"$0}' src/a.py", ["7-7"]],
  ["awk '/x/' src/a.py", []],
  ["nl -ba src/a.py | sed -n '1,40p'", ["1-40"]],
  ["cat -n src/a.py | head -50", ["1-50"]],
  ["head -100 src/a.py | tail -20", ["81-100"]],
  ["head -100 src/a.py | tail -200", ["1-100"]],
  ["tail -n +50 src/a.py | head -20", ["50-69"]],
  ["sed -n 10,100p src/a.py | head -5 | cat", ["10-14"]],
  ["cat src/a.py | tail -5", []],
  ["cat src/a.py | grep x | head -5", []],
  ["grep x src/a.py | sed -n 1,5p", []],
  ["cat src/a.py; seq 9 | head -3", []],
];

describe("lines that a command shows", () => {
  it.each(table)("%s", (command, lines) => {
    const read = actionOf(command).reads.find(({ path }) => path === "src/a.py");
    expect(read?.lines.map(({ from, to }) => `${from}-${to ?? ""}`)).toEqual(lines);
  });
});

describe("files that a command reads", () => {
  it.each([
    ["grep -rn 'src/b.py' src/a.py", ["src/a.py"]],
    ["grep -e x -e y src/a.py", ["src/a.py"]],
    ["grep --include '*.py' -rn x src django", ["src", "django"]],
    ["rg -g '*.py' x src", ["src"]],
    ["ls src -I x", ["src"]],
    ["find -L src django -type f", ["src", "django"]],
    ["find . -path ./src -prune", ["."]],
    ["cat - src/a.py", ["src/a.py"]],
    ["cat missing.py", []],
    ["cat /etc/hosts", []],
    ["git show HEAD~1:src/a.py", ["src/a.py"]],
    ["git diff HEAD~1 src/a.py", ["src/a.py"]],
    ["git blame -L 1,5 src/a.py", ["src/a.py"]],
    ["git log -5 -- src django", ["src", "django"]],
    ["git grep x -- src", ["src"]],
    ["diff src/a.py src/b.py", ["src/a.py", "src/b.py"]],
    ["python src/a.py django/db/models.py", ["src/a.py"]],
    ["cat https://example.org/src/a.py", []],
    ["cat src/*.py", []],
  ])("%s", (command, paths) => {
    expect(actionOf(command).reads.map(({ path }) => path)).toEqual(paths);
  });

  it("takes every path inside for real when the files are not known", () => {
    const reads = (command: string) => actionOf(command, "unlisted").reads.map(({ path }) => path);
    expect(reads("cat a/b.py ../x.py /etc/hosts")).toEqual(["a/b.py"]);
    expect(reads("pytest tests/test_a.py admin.tests")).toEqual(["tests/test_a.py"]);
    expect(reads("git log main src/a.py")).toEqual(["src/a.py"]);
  });
});
