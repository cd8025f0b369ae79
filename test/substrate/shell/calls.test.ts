import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callsOf } from "../../../src/substrate/shell/calls.ts";

const lines = (command: string) => callsOf(command).map(({ words }) => words.join(" "));

describe("the calls of a command", () => {
  it.each([
    ["cd /x && git log --all | head -3", ["cd /x", "git log --all", "head -3"]],
    ["FOO=1 timeout 60 /usr/bin/git fetch -q", ["git fetch -q"]],
    ["sudo -u ada bash -lc 'git fetch; ls'", ["git fetch", "ls"]],
    ["bash <<'EOF'\ngit fetch\nEOF", ["git fetch"]],
    ["sh <<< 'git pull'", ["git pull"]],
    ["for b in main origin/dev; do git log $b; done", ["git log main origin/dev"]],
    ["b=origin/main; git show $b:f", ["git show origin/main:f"]],
    [
      'x=$(git log --all) && echo "a $(git fetch) b"',
      ["git log --all", "echo a $(git fetch) b", "git fetch"],
    ],
    ["echo `git reflog`", ["echo `git reflog`", "git reflog"]],
    [
      "diff <(git show origin/main:f) f",
      ["diff <(git show origin/main:f) f", "git show origin/main:f"],
    ],
    ["echo '$(git fetch)'", ["echo $(git fetch)"]],
    ['echo "it\'s $(git fetch)"', ["echo it's $(git fetch)", "git fetch"]],
    ["if git diff --quiet; then (git pull); fi", ["git diff --quiet", "git pull"]],
    ["find . -name '*.py' | xargs git blame", ["find . -name *.py", "git blame"]],
    ["", []],
    ["> f", []],
  ])("%s", (command, expected) => {
    expect(lines(command)).toEqual(expected);
  });

  it("come with the text that is fed to them", () => {
    expect(callsOf("python - <<'PY'\nprint(1)\nPY\ncat <<< one\nls")).toEqual([
      { words: ["python", "-"], input: "print(1)\n" },
      { words: ["cat"], input: "one" },
      { words: ["ls"], input: null },
    ]);
  });

  it("are found whatever the text, within bounds", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void callsOf(text)));
    const deep = Array.from({ length: 50 }).reduce<string>((inner) => `$(${inner})`, "git fetch");
    expect(callsOf(`echo ${deep}`).length).toBeLessThan(10);
    expect(callsOf("a;".repeat(5000))).toHaveLength(500);
  });
});
