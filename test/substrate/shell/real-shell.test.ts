import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listingOf } from "../../../src/substrate/shell/action.ts";
import { noMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";
import { heredoc } from "./repository.ts";

const files: Readonly<Record<string, string>> = {
  "README.md": "hello\n",
  "pkg/__init__.py": "",
  "pkg/a.py": "a = 1\n",
  "pkg/b c.py": "b = 1\n",
  "tests/test_a.py": "import pkg\n",
};

const diff = ["--- a/pkg/a.py", "+++ b/pkg/a.py", "@@ -1 +1 @@", "-a = 1", "+a = 2"];

/** Each is run by bash in a fresh copy; what it says it changes must be what it changes. */
const commands: readonly string[] = [
  "sed -i 's/1/2/' pkg/a.py",
  "cd pkg && sed -i.bak -e 's/1/2/' a.py 'b c.py' && cat a.py | tee ../out.log",
  "perl -pi.orig -e 's/1/2/' pkg/a.py",
  heredoc("cat > pkg/new.py", "x = '; rm -rf / && > y'", "$(touch z) `touch w`"),
  "cat > one.txt <<A\n1\nA\ncat > two.txt <<-'B'\n\t2\n\tB\necho 3 >> one.txt",
  "cat <<A > one.txt; cat <<B > two.txt\n1\nA\n2\nB",
  "echo \"x;y\" > 'a b.txt'; printf '%s' z >| c\\ d.txt",
  "for f in pkg/a.py README.md; do echo '#' >> $f; cp $f $f.copy; done",
  "(cd pkg; rm a.py; mv 'b c.py' d.py); touch pkg/a.py.new",
  "mkdir -p lib/sub && cp pkg/*.py lib/sub/ && cp README.md lib",
  "mv pkg/a.py lib.py && mkdir -p old && mv lib.py 'pkg/b c.py' old && cp -t old README.md",
  "rm -f pkg/?.py tests/test_*.py",
  "touch x{1,2}.py pkg/a.py && ln -s pkg/a.py link.py",
  `${heredoc("cat > /dev/null", "x")}\necho 1 > real.txt # > comment.txt`,
  `if [ -f README.md ]; then echo 2 > then.txt; fi`,
  "bash -c 'cd pkg; bash -c \"echo 1 > deep.py\"' && env A=1 nice sh -c 'echo $A > env.txt'",
  'f=pkg/a.py; d=pkg; sed -i s/1/3/ "$f"; echo > $d/e.py',
  "echo 1 | tee t1.txt t2.txt | cat > t3.txt; ls nowhere 2> pkg/err.log; true",
  `${heredoc("cat > fix.diff", ...diff)}\ngit apply fix.diff`,
  `${heredoc("git apply", ...diff)}`,
  "sed -i s/1/2/ pkg/a.py README.md && git mv README.md READ.md && git rm -q tests/test_a.py",
  "git rm -q --cached README.md; git add -A; git status > status.txt",
  `${heredoc("cat > fix.js", "const fs = require('fs');", "for (const f of ['pkg/a.py', 'n.txt']) fs.writeFileSync(f, 'x');", "fs.unlinkSync('README.md');")}\nnode fix.js`,
  "node -e \"require('node:fs').appendFileSync('pkg/a.py', '#')\"",
  `${heredoc("cat > fix.sh", "cd pkg", "sed -i s/1/2/ a.py", "echo 1 > made.py")}\nbash fix.sh`,
  "echo 'echo 1 > by-pipe.txt' | bash; bash <<< 'echo 2 > by-string.txt'",
  "dd if=README.md of=dd.bin 2>/dev/null; truncate -s 0 README.md; install -m 600 pkg/a.py inst.py",
  "x=$((1 << 2)); [[ a < b && b > a ]] && echo $x > four.txt",
  "echo a\\\nb > joined.txt; echo '\\\n' > kept.txt",
  "echo \"$(cat <<'E'\n) > no.txt\nE\n)\" > yes.txt",
  "{ echo 1; echo 2; } > group.txt; (echo 3) > sub.txt; while false; do :; done > loop.txt",
  "> empty.txt; : > colon.txt; echo hi &> both.txt; echo err >&2",
];

let template = "";
const made: string[] = [];

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
}

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), "shell-"));
  made.push(template);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(template, path)), { recursive: true });
    writeFileSync(join(template, path), text);
  }
  git(template, "init", "-q");
  git(template, "add", "-A");
  git(template, "commit", "-qm", "base");
});

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Every file but git's own, with its content. */
function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    names
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(folder, ".git/")))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "latin1")]),
  );
}

function changedBy(folder: string, command: string): readonly string[] {
  const before = contents(folder);
  try {
    execFileSync("bash", ["-c", command], { cwd: folder, stdio: "ignore" });
  } catch {
    // A nonzero status is the command's own affair: what counts is the tree.
  }
  const after = contents(folder);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}

describe("what bash really does", () => {
  it.each(commands)("%s", (command) => {
    const folder = mkdtempSync(join(tmpdir(), "shell-"));
    made.push(folder);
    cpSync(template, folder, { recursive: true });
    const context = { root: folder, listing: listingOf(Object.keys(files)) };
    const { action } = understand(command, noMemory, context);
    expect([...action.changed].sort()).toEqual(changedBy(folder, command));
  });
});
