import { describe, expect, it } from "vitest";
import { textOf, workTree } from "./work-tree.ts";

const files = { "a.py": "x = 1\n" };

describe("extractPatch leaves out and names", () => {
  it("scratch files, but not those of the base", async () => {
    const tree = await workTree({ ...files, "repro.py": "r = 1\n" }, "echo 1 > debug.py");
    tree.act(
      "echo 'r = 2' > repro.py; echo 2 > debug.py; echo t > test_fix.py; echo d > fix.patch; mkdir tests; echo t > tests/test_fix.py; mkdir -p pkg/__pycache__; echo c > pkg/__pycache__/a.pyc; echo c > pkg/__pycache__/b.pyc",
    );
    const { record } = await tree.extract();
    expect(record.files).toEqual(["debug.py", "repro.py", "tests/test_fix.py"]);
    expect(record.leftOut).toEqual([
      { path: "fix.patch", reason: "scratch" },
      { path: "test_fix.py", reason: "scratch" },
      { path: "pkg/__pycache__/", reason: "scratch" },
    ]);
  });

  it.each([
    ["without a commit", ":"],
    [
      "with a commit",
      "git -C vend -c user.name=A -c user.email=a@b add . && git -C vend -c user.name=A -c user.email=a@b commit -qm z",
    ],
  ])("a nested repository %s", async (_, commit) => {
    const tree = await workTree(files);
    tree.act(
      `echo 'x = 2' > a.py; mkdir vend && git -C vend init -q && echo z > vend/z.py; ${commit}`,
    );
    const { record } = await tree.extract();
    expect(record).toMatchObject({
      files: ["a.py"],
      leftOut: [{ path: "vend/", reason: "nested repository" }],
      applies: true,
    });
  });

  it("nothing of a submodule or a nested repository that was there before", async () => {
    const submodule = `git init -q vend && echo v > vend/v.py && git -C vend add . &&
      git -C vend -c user.name=A -c user.email=a@b commit -qm v
      git init -q empty && echo e > empty/e.py
      git -c protocol.file.allow=always submodule --quiet add ./vend sub && git commit -qm sub`;
    const tree = await workTree(files, submodule);
    tree.act(
      "echo 'x = 2' > a.py; echo s > sub/s.py; echo v >> vend/v.py; rm -rf empty/.git; git -C sub -c user.name=A -c user.email=a@b commit -q --allow-empty -m more",
    );
    const patch = await tree.extract();
    expect(patch.record).toMatchObject({ files: ["a.py"], applies: true });
    expect(patch.record.leftOut).toEqual([{ path: "empty/e.py", reason: "nested repository" }]);
    expect(textOf(patch)).not.toContain("Subproject");
  });

  it("what cannot be read, and keeps the rest", async () => {
    const tree = await workTree({ ...files, "b.py": "b = 1\n" });
    tree.act("echo 'x = 2' > a.py; rm b.py; mkfifo b.py; echo n > new.py");
    const { record } = await tree.extract();
    expect(record).toMatchObject({
      files: ["a.py", "new.py"],
      leftOut: [{ path: "b.py", reason: "unreadable" }],
      applies: true,
    });
  });

  it("files that were ignored at the start and no longer are", async () => {
    const tree = await workTree(
      { ...files, ".gitignore": "dist/\n" },
      "mkdir dist; echo 1 > dist/old.js",
    );
    tree.act("echo > .gitignore; echo 2 > dist/new.js");
    const { record } = await tree.extract();
    expect(record.files).toEqual([".gitignore", "dist/new.js"]);
    expect(record.leftOut).toEqual([{ path: "dist/old.js", reason: "ignored" }]);
  });

  it("by the rules of .git/info/exclude and core.excludesFile as they were", async () => {
    const tree = await workTree(
      files,
      "echo one.txt > .git/info/exclude; echo two.txt > .git/two; git config core.excludesFile .git/two",
    );
    tree.act("rm -rf .git; echo 1 > one.txt; echo 2 > two.txt; echo 3 > three.txt");
    const { record } = await tree.extract();
    expect(record.files).toEqual(["three.txt"]);
    expect(record.leftOut.map(({ path }) => path)).toEqual(["one.txt", "two.txt"]);
  });

  it("no tracked file that the rules would ignore", async () => {
    const tree = await workTree(
      files,
      "echo 'kept/' > .gitignore; mkdir kept; echo 1 > kept/k.py; git add -f . && git commit -qm k",
    );
    expect(tree.base.files).toEqual([".gitignore", "a.py", "kept/k.py"]);
    tree.act("echo 2 > kept/k.py; echo n > kept/n.py");
    const { record } = await tree.extract();
    expect(record.files).toEqual(["kept/k.py"]);
    expect(record.leftOut).toEqual([{ path: "kept/n.py", reason: "ignored" }]);
  });

  it("a crowd of ignored files as their folder", async () => {
    const tree = await workTree(
      { ...files, ".gitignore": "out/\n" },
      "mkdir out; touch out/before",
    );
    tree.act("for i in $(seq 11); do echo $i > out/$i; done; mkdir out/sub; echo 1 > out/sub/1");
    expect((await tree.extract()).record.leftOut).toEqual([
      { path: "out/ (11 files)", reason: "ignored" },
      { path: "out/sub/1", reason: "ignored" },
    ]);
  });
});
