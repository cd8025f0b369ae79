import { describe, expect, it } from "vitest";
import { noMemory, noteSeen } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";
import { classesOf, episode, heredoc, listing, root } from "./repository.ts";

const writer = (path: string) => [`s = open('${path}').read()`, `open('${path}', 'w').write(s)`];

/** What the last of some commands is and changes. */
function last(...commands: readonly string[]): readonly [string | undefined, readonly string[]] {
  const action = episode(...commands).actions.at(-1);
  return [action && classesOf(action).at(-1), action?.changed ?? []];
}

describe("scripts that the episode wrote", () => {
  it("does what they do when they run", () => {
    expect(last(heredoc("cat > fix.py", ...writer("src/a.py")), "python fix.py")).toEqual([
      "edit python",
      ["src/a.py"],
    ]);
    expect(
      last(
        "cat src/a.js",
        heredoc("cat > fix.js", "fs.writeFileSync('src/a.js', '')"),
        "node ./fix.js",
      ),
    ).toEqual(["edit node", ["src/a.js"]]);
    expect(
      last(
        "cat src/a.py",
        heredoc("cat > /tmp/fix.sh", "sed -i s/a/b/ src/a.py"),
        "bash /tmp/fix.sh",
      ),
    ).toEqual(["edit bash", ["src/a.py"]]);
    expect(
      last(
        heredoc("cat > fix", "#!/usr/bin/env python", ...writer("src/a.py")),
        "chmod +x fix",
        "./fix",
      ),
    ).toEqual(["edit fix", ["src/a.py"]]);
  });

  it("runs them in the folder where they are started, with their arguments", () => {
    const script = heredoc("cat > fix.py", "import sys", "open(sys.argv[1], 'w')");
    expect(last("cat lib/x.py", script, "cd lib && python ../fix.py x.py")).toEqual([
      "edit python",
      ["lib/x.py"],
    ]);
  });

  it("applies patches by their bodies", () => {
    const diff = [
      "--- a/src/a.py",
      "+++ b/src/a.py",
      "@@ -1 +1 @@",
      "--- old",
      "+new",
      "--- /dev/null",
      "+++ b/src/c.py",
      "--- a/src/d.py",
      "+++ /dev/null",
    ];
    const patch = heredoc("cat > /tmp/x.diff", ...diff);
    const changed = ["src/a.py", "src/c.py", "src/d.py"];
    for (const apply of [
      "git apply /tmp/x.diff",
      "patch -p1 < /tmp/x.diff",
      "patch -p1 -i /tmp/x.diff",
      "cat /tmp/x.diff | git apply -",
    ]) {
      expect(last(patch, apply)).toEqual([
        `edit ${apply.includes("git") ? "git" : "patch"}`,
        changed,
      ]);
    }
    expect(last(patch, "git apply -R /tmp/x.diff")).toEqual(["revert git", changed]);
    const tool = [
      "*** Begin Patch",
      "*** Update File: src/a.py",
      "*** Delete File: src/b.py",
      "*** Add File: src/c.py",
      "*** End Patch",
    ];
    expect(last(heredoc("apply_patch", ...tool))).toEqual([
      "edit apply_patch",
      ["src/a.py", "src/c.py", "src/b.py"],
    ]);
  });

  it("keeps a run a run when it only leaves scratch files, and a test run a test run", () => {
    expect(last(heredoc("cat > repro.py", "open('out.txt', 'w')"), "python repro.py")).toEqual([
      "execute python",
      ["out.txt"],
    ]);
    expect(
      last(heredoc("cat > repro.sh", "mkdir proj", "echo x > proj/conf.py"), "bash repro.sh"),
    ).toEqual(["execute bash", ["proj/conf.py"]]);
    expect(last(heredoc("cat > t.sh", "pytest tests -q"), "sh t.sh")).toEqual(["test sh", []]);
  });

  it("follows a body that is appended to, copied, moved and replaced", () => {
    const fix = heredoc("cat > fix.py", ...writer("src/a.py"));
    expect(
      last(
        heredoc("cat > fix.py", "x = 1"),
        heredoc("cat >> fix.py", ...writer("src/a.py")),
        "python fix.py",
      )[1],
    ).toEqual(["src/a.py"]);
    expect(last(fix, "mkdir d; mv fix.py d/", "python d/fix.py")[1]).toEqual(["src/a.py"]);
    expect(last(fix, "cp fix.py again.py", "python again.py")[1]).toEqual(["src/a.py"]);
    expect(last(fix, "echo 'print(1)' > fix.py", "python fix.py")).toEqual(["execute python", []]);
    expect(last("echo \"open('src/a.py', 'w')\" | tee fix.py", "python fix.py")[1]).toEqual([
      "src/a.py",
    ]);
    expect(last(fix, "python < fix.py")).toEqual(["edit python", ["src/a.py"]]);
    expect(last(fix, "cat fix.py | python")).toEqual(["edit python", ["src/a.py"]]);
  });

  it("keeps the newest 20 bodies, and none that is very long", () => {
    const commands = Array.from({ length: 25 }, (_, i) => `echo ${i} > f${i}.py`);
    const { memory } = episode(...commands, `echo ${"x".repeat(70_000)} > long.py`);
    expect(memory.scripts.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, i) => `f${i + 5}.py`),
    );
  });

  it("does not follow scripts that run each other without end", () => {
    const loop = heredoc("cat > a.sh", "bash a.sh", "sed -i s/a/b/ src/a.py");
    expect(last("cat src/a.py", loop, "bash a.sh")).toEqual(["edit bash", ["src/a.py"]]);
  });
});

describe("tracked files without a listing", () => {
  const source = (...commands: readonly string[]) =>
    episode(...commands)
      .actions.at(-1)
      ?.segments.flatMap((segment) => segment.source);

  it("are those read or edited in place before being created", () => {
    expect(source("cat setup.py", "echo x > setup.py")).toEqual(["setup.py"]);
    expect(source("sed -i s/a/b/ setup.py")).toEqual(["setup.py"]);
    expect(source("echo x >> setup.py")).toEqual(["setup.py"]);
    expect(source("echo x > setup.py")).toEqual([]);
    expect(source("echo x > setup.py", "cat setup.py", "sed -i s/a/b/ setup.py")).toEqual([]);
    expect(source("ls", "git diff > x.py", "cat x.py", "rm x.py")).toEqual([]);
  });

  it("make a new file in one of their folders source, unless it is named like a probe", () => {
    expect(source("cat src/a.py", "echo x > src/new/c.py")).toEqual(["src/new/c.py"]);
    expect(source("cat src/a.py", "echo x > src/test_c.py")).toEqual([]);
    expect(source("cat src/a.py", "echo x > src/c.py.orig")).toEqual([]);
    expect(source("cat src/test_a.py", "echo x > src/test_a.py")).toEqual(["src/test_a.py"]);
  });

  it("never lie in a folder that the episode made", () => {
    expect(source("mkdir proj", "cat proj/conf.py", "sed -i s/a/b/ proj/conf.py")).toEqual([]);
    expect(source("echo x > proj/x.py", "cat proj/conf.py", "rm -rf proj")).toEqual([]);
  });

  it("can be told from outside", () => {
    const memory = noteSeen(noMemory, ["lib/x.py"]);
    const { action } = understand("echo x > lib/y.py", memory, { root, listing: null });
    expect(action.segments[0]?.source).toEqual(["lib/y.py"]);
  });
});

describe("files that come and go", () => {
  it("are created once, then edited, and gone only once", () => {
    const { actions } = episode(
      "echo x > a.py",
      "echo y > a.py",
      "rm a.py",
      "rm a.py",
      "echo x > a.py",
    );
    expect(actions.map(({ created, edited, deleted }) => [created, edited, deleted])).toEqual([
      [["a.py"], [], []],
      [[], ["a.py"], []],
      [[], [], ["a.py"]],
      [[], [], []],
      [["a.py"], [], []],
    ]);
    expect(actions.map(classesOf)).toEqual([
      ["edit echo"],
      ["edit echo"],
      ["edit rm"],
      ["neutral rm"],
      ["edit echo"],
    ]);
  });

  it("go with their folder", () => {
    const { actions } = episode("mkdir d; echo x > d/a.py", "rm -r d", "rm d/a.py", "touch d/a.py");
    expect(actions.map(({ changed }) => changed)).toEqual([["d/a.py"], ["d"], [], ["d/a.py"]]);
  });

  it("come back with their committed state when none is named", () => {
    const edits = ["sed -i s/a/b/ src/a.py", "echo x >> src/b.py", "echo x > new.py"];
    for (const revert of ["git checkout .", "git stash", "git reset --hard", "git restore ."]) {
      expect(last(...edits, revert)).toEqual(["revert git", ["src/a.py", "src/b.py"]]);
    }
    expect(last(...edits, "git checkout src/a.py", "git stash")[1]).toEqual(["src/b.py"]);
    expect(last(...edits, "git clean -fd")).toEqual(["revert git", ["new.py"]]);
    expect(last(...edits, "git stash", "git stash pop")).toEqual([
      "edit git",
      ["src/a.py", "src/b.py"],
    ]);
    expect(last(...edits, "git stash", "git stash drop", "git stash pop")).toEqual([
      "edit git",
      [],
    ]);
  });
});

describe("the memory", () => {
  it("is not changed by what follows from it", () => {
    const { memory } = episode("cat src/a.py", "echo x > b.py");
    const before = structuredClone(memory);
    understand("rm b.py; sed -i s/a/b/ src/a.py; git stash", memory, { root, listing: null });
    expect(memory).toEqual(before);
  });

  it("holds paths that look like an object's own names", () => {
    const { memory, actions } = episode(
      "echo x > __proto__",
      "cat constructor",
      "rm __proto__ toString",
    );
    expect(actions.map(({ changed }) => changed)).toEqual([
      ["__proto__"],
      [],
      ["__proto__", "toString"],
    ]);
    expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
  });

  it("needs no note of listed files that are only read", () => {
    const { memory } = understand("cat src/a.py; ls src", noMemory, { root, listing });
    expect(memory).toEqual(noMemory);
  });
});
