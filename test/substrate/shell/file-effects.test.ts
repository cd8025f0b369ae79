import { describe, expect, it } from "vitest";
import { actionOf, classesOf, heredoc } from "./repository.ts";

/** Command, then what it edits, creates, deletes and reverts, each as `+` joined paths. */
const table: readonly (readonly [string, string])[] = [
  ["sed -Ei s/a/b/ src/a.py", "edited src/a.py"],
  ["sed -n -i.orig -e p -- src/a.py", "edited src/a.py, created src/a.py.orig"],
  ["sed -i '' s/a/b/ src/a.py", "edited src/a.py"],
  ["sed --in-place=.old s/a/b/ src/a.py", "edited src/a.py, created src/a.py.old"],
  ["sed -f script.sed -i src/a.py", "edited src/a.py"],
  ["sed s/a/b/ src/a.py", ""],
  ["awk -i inplace '{print}' src/a.py", "edited src/a.py"],
  ["perl -i.bak -ne 'print' src/a.py", "edited src/a.py, created src/a.py.bak"],
  ["perl -0777 -pi -e 's/a/b/' src/a.py src/b.py", "edited src/a.py+src/b.py"],
  ["perl -ne 'print' src/a.py", ""],
  ["cp src/a.py src/c.py", "created src/c.py"],
  ["cp src/a.py django", "created django/a.py"],
  ["cp src/a.py src/b.py django/", "created django/a.py+django/b.py"],
  ["cp -t django src/a.py", "created django/a.py"],
  ["cp src/a.py .", "created a.py"],
  ["cd src && mv a.py ..", "created a.py, deleted src/a.py"],
  ["ln -s src/a.py link.py", "created link.py"],
  ["install -m 644 src/a.py src/c.py", "created src/c.py"],
  ["rm -rf django/db 'x y.py'", "deleted django/db+x y.py"],
  ["unlink src/a.py", "deleted src/a.py"],
  ["rm django/db/*.py", "deleted django/db/models.py"],
  ["sed -i s/a/b/ src/?.py", "edited src/a.py+src/b.py"],
  ["touch src/a.py", ""],
  ["touch src/c.py src/a.py", "created src/c.py"],
  ["touch src/{c,d}.py", "created src/c.py+src/d.py"],
  ["truncate -s 0 src/a.py", "edited src/a.py"],
  ["dd if=/dev/zero of=src/a.py count=1", "edited src/a.py"],
  ["> src/a.py", "edited src/a.py"],
  ["printf 'x' >| src/a.py", "edited src/a.py"],
  ["echo x &> src/c.py", "created src/c.py"],
  ["ls src 2> src/err.py", "created src/err.py"],
  ["ls src 2> /elsewhere/err.py", ""],
  ["echo x > $OUT", ""],
  ["(echo a; echo b) > src/c.py", "created src/c.py"],
  ["{ cat src/a.py; echo; } > src/c.py", "created src/c.py"],
  ["bash -c 'echo x' > src/c.py", "created src/c.py"],
  ["echo x | sudo tee src/a.py > /dev/null", "edited src/a.py"],
  ["pytest tests | tee src/log.py", "created src/log.py"],
  ["isort src/a.py && autopep8 -i src/b.py", "edited src/a.py+src/b.py"],
  ["black --check src/a.py; yapf src/a.py", ""],
  ["python -m black src/a.py", "edited src/a.py"],
  [
    "ruff format src/a.py; ruff check --fix src/b.py; ruff check setup.py",
    "edited src/a.py+src/b.py",
  ],
  ["2to3 -w src/a.py", "edited src/a.py"],
  [heredoc("ed src/a.py", "1d", "w"), "edited src/a.py"],
  ["vim -es src/a.py -c 'wq'", "edited src/a.py"],
  ["str_replace_editor str_replace src/a.py", "edited src/a.py"],
  ["str_replace_editor create src/c.py", "created src/c.py"],
  ["str_replace_editor view src/a.py", ""],
  ["f=src/a.py; sed -i s/a/b/ $f", "edited src/a.py"],
  ['export f=src/a.py && sed -i s/a/b/ "$f"', "edited src/a.py"],
  [
    "for f in a b; do for g in x y; do touch src/$f$g.py; done; done",
    "created src/ax.py+src/ay.py+src/bx.py+src/by.py",
  ],
  ["(cd src && touch c.py); touch d.py", "created src/c.py+d.py"],
  ["cd /nowhere || exit 1; touch c.py", "created /nowhere/c.py"],
  ["cd src; bash -c 'cd ../django; touch c.py'; touch d.py", "created django/c.py+src/d.py"],
  ["touch '$x' 'a*b' \"c d\" e\\ f", "created $x+a*b+c d+e f"],
  ["touch $'a\\tb' ünï.py", "created a\tb+ünï.py"],
];

describe("files that a command changes", () => {
  it.each(table)("%s", (command, changes) => {
    const { edited, created, deleted, reverted } = actionOf(command);
    const told = Object.entries({ edited, created, deleted, reverted })
      .filter(([, paths]) => paths.length > 0)
      .map(([kind, paths]) => `${kind} ${paths.join("+")}`);
    expect(told.join(", ")).toBe(changes);
  });
});

describe("targets that the text does not name", () => {
  it.each([
    "sed -i s/a/b/ $f",
    "sed -i s/a/b/ `ls`",
    "grep -rl foo src | xargs sed -i s/a/b/",
    "ls | xargs -I F sed -i s/a/b/ F",
    "find . -name '*.pyc' -delete",
    "find . -execdir rm {} \\;",
    "while read f; do sed -i s/a/b/ $f; done < list",
    "for f in $(git ls-files); do sed -i s/a/b/ $f; done",
    "for f in 1 2 3 4 5 6 7 8 9 10 11; do touch $f; done",
    "echo x > $OUT",
    "cd $SOMEWHERE && touch x.py",
    "patch -p1 < unknown.diff",
    "rm -rf",
  ])("%s", (command) => {
    expect(actionOf(command).segments.some(({ unresolved }) => unresolved)).toBe(true);
  });

  it.each([
    "rm -rf /tmp/*.log",
    "echo x > /tmp/$name",
    "cd $(mktemp -d) && touch x.py",
    "T=$(mktemp); echo x > $T",
    "rm test_*.py",
    "rm src/*.bak",
    "ls $x",
  ])("%s counts as scratch at most", (command) => {
    expect(actionOf(command).segments.every(({ unresolved }) => !unresolved)).toBe(true);
    expect(actionOf(command).segments.flatMap(({ source }) => source)).toEqual([]);
  });
});

describe("what a redirect makes of a class", () => {
  it.each([
    ["git diff > fix.patch", "review git"],
    ["python src/a.py > out.txt 2>&1", "execute python"],
    ["git log > notes.txt", "inspect git"],
    ["git blame src/a.py > /tmp/x", "history git"],
    ["sphinx-build . out > build.log", "other sphinx-build"],
    ["sed -i s/a/b/ src/a.py > out.txt", "edit sed"],
    ["git diff > src/a.py", "edit git"],
    ["cat src/a.py src/b.py > src/c.py", "edit cat"],
    ["echo done > out.txt", "edit echo"],
    ["pwd > out.txt", "edit pwd"],
    ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT > out.txt", "edit echo"],
  ])("%s is %s", (command, told) => {
    expect(classesOf(actionOf(command))).toEqual([told]);
  });
});
