import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sh, textOf, workTree } from "./work-tree.ts";

describe("extractPatch", () => {
  it("has new, empty, deleted and linked files, and names the ignored ones", async () => {
    const tree = await workTree({ ".gitignore": "build/\n*.log\n", "old.py": "old = 1\n" });
    tree.act(`mkdir newpkg build && touch newpkg/__init__.py && echo 'm = 1' > newpkg/mod.py
      echo 'g = 1' > build/gen.py && echo ran > run.log && rm old.py && ln -s newpkg/mod.py link.py`);
    const patch = await tree.extract();
    expect(textOf(patch)).toMatchInlineSnapshot(`
      "diff --git a/link.py b/link.py
      new file mode 120000
      index 0000000000000000000000000000000000000000..faf90a3b9487c6e3f7dfe4d067a7d841a1231fbb
      --- /dev/null
      +++ b/link.py
      @@ -0,0 +1 @@
      +newpkg/mod.py
      \\ No newline at end of file
      diff --git a/newpkg/__init__.py b/newpkg/__init__.py
      new file mode 100644
      index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
      diff --git a/newpkg/mod.py b/newpkg/mod.py
      new file mode 100644
      index 0000000000000000000000000000000000000000..d969f93b95d27ca86a589e19a8271c64cc5e23b5
      --- /dev/null
      +++ b/newpkg/mod.py
      @@ -0,0 +1 @@
      +m = 1
      diff --git a/old.py b/old.py
      deleted file mode 100644
      index 330710ee111347034409558157b15828394e21d8..0000000000000000000000000000000000000000
      --- a/old.py
      +++ /dev/null
      @@ -1 +0,0 @@
      -old = 1
      "
    `);
    expect(patch.record).toEqual({
      source: "extraction",
      bytes: patch.bytes.length,
      files: ["link.py", "newpkg/__init__.py", "newpkg/mod.py", "old.py"],
      leftOut: [
        { path: "build/gen.py", reason: "ignored" },
        { path: "run.log", reason: "ignored" },
      ],
      applies: true,
    });
    const clean = tree.applied(patch);
    expect(statSync(join(clean, "newpkg/__init__.py")).size).toBe(0);
    expect(readlinkSync(join(clean, "link.py"))).toBe("newpkg/mod.py");
    expect(existsSync(join(clean, "old.py"))).toBe(false);
  });

  it("is empty, and applies, when nothing changed", async () => {
    const patch = await (await workTree({ "a.py": "x = 1\n" })).extract();
    expect(patch.record).toMatchObject({ bytes: 0, files: [], leftOut: [], applies: true });
  });

  it("holds binary files in full", async () => {
    const tree = await workTree({ "a.py": "x = 1\n", "old.bin": Uint8Array.of(0, 1, 2) });
    tree.act(`echo 'x = 2' > a.py && printf '\\x89PNG\\x00\\x01\\x02' > logo.png
      printf '\\x7fELF\\x02\\x01\\x01\\x00' > a.out && printf '\\x00\\x02' > old.bin`);
    const patch = await tree.extract();
    expect(textOf(patch)).not.toContain("Binary files");
    expect(patch.record).toMatchObject({
      files: ["a.out", "a.py", "logo.png", "old.bin"],
      applies: true,
    });
    const clean = tree.applied(patch);
    expect([...readFileSync(join(clean, "logo.png"))]).toEqual([0x89, 80, 78, 71, 0, 1, 2]);
    expect([...readFileSync(join(clean, "old.bin"))]).toEqual([0, 2]);
    expect(readFileSync(join(clean, "a.py"), "utf8")).toBe("x = 2\n");
  });

  it.each([
    ["nothing", ":"],
    ["core.autocrlf", "git config core.autocrlf true"],
    ["core.autocrlf=input", "git config core.autocrlf input"],
    [
      "attributes",
      "echo '* text=auto eol=lf' > .gitattributes && git add . && git commit -qm attributes",
    ],
  ])("keeps CRLF with %s set", async (_, before) => {
    const tree = await workTree({ "crlf.py": "a = 1\r\nb = 2\r\nc = 3\r\n" }, before);
    tree.act("sed -i 's/2/22/' crlf.py");
    const patch = await tree.extract();
    const body = textOf(patch).split("@@\n")[1];
    expect(body).toBe(" a = 1\r\n-b = 2\r\n+b = 22\r\n c = 3\r\n");
    expect(patch.record.applies).toBe(true);
    const clean = tree.applied(patch);
    expect(readFileSync(join(clean, "crlf.py"), "utf8")).toBe("a = 1\r\nb = 22\r\nc = 3\r\n");
  });

  it("keeps a missing newline at the end and a blank last context line", async () => {
    const tree = await workTree({ "a.py": "x = 1", "b.py": "u = 1\nv = 1\n\n" });
    tree.act("printf 'x = 2' > a.py && printf 'u = 1\\nv = 2\\n\\n' > b.py");
    const patch = await tree.extract();
    const text = textOf(patch);
    expect(text).toContain(
      "-x = 1\n\\ No newline at end of file\n+x = 2\n\\ No newline at end of file\n",
    );
    expect(text.endsWith("+v = 2\n \n")).toBe(true);
    const clean = tree.applied(patch);
    expect(readFileSync(join(clean, "a.py"), "utf8")).toBe("x = 2");
    expect(readFileSync(join(clean, "b.py"), "utf8")).toBe("u = 1\nv = 2\n\n");
  });

  it("follows modes, moves and changes of type", async () => {
    const tree = await workTree({
      "run.sh": "echo\n",
      "moved.py": "a\nb\nc\nd\ne\n",
      link: "plain\n",
      was: "a file\n",
      "dir/x.py": "x\n",
    });
    tree.act(`chmod +x run.sh && mkdir lib && git mv moved.py lib/moved.py && git commit -qm move
      rm link && ln -s run.sh link && rm was && mkdir was && echo new > was/inner && rm -r dir && echo flat > dir`);
    const patch = await tree.extract();
    expect(patch.record).toMatchObject({
      files: ["dir", "dir/x.py", "lib/moved.py", "link", "moved.py", "run.sh", "was", "was/inner"],
      applies: true,
    });
    const clean = tree.applied(patch);
    expect(statSync(join(clean, "run.sh")).mode & 0o111).toBe(0o111);
    expect(lstatSync(join(clean, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(clean, "was/inner"), "utf8")).toBe("new\n");
    expect(sh(clean, "git add -A && git write-tree")).toBe(
      sh(tree.folder, "git add -A && git write-tree"),
    );
  });

  it("survives odd names and bytes that are not UTF-8", async () => {
    const tree = await workTree({ "a b.py": "x\n", "-n.py": "x\n", 'q"\\.py': "x\n" });
    tree.act(`for f in 'a b.py' ./-n.py 'q"\\.py' 'caf\u00e9.py' $'new\\nline.py' $'t\\tab.py' "it's.py" '%s\\n.py' \\
        $'bad\\xff.py' '日本.py' ' lead' 'trail '; do printf 'y \\xfe\\xe9\\r\\n' > "$f"; done`);
    const patch = await tree.extract();
    expect(patch.record.files).toEqual(
      [
        '"bad\\377.py"',
        "%s\\n.py",
        "-n.py",
        " lead",
        "a b.py",
        "café.py",
        "it's.py",
        "new\nline.py",
        'q"\\.py',
        "t\tab.py",
        "trail ",
        "日本.py",
      ].sort(),
    );
    expect(patch.record.applies).toBe(true);
    const clean = tree.applied(patch);
    expect(sh(clean, "git add -A && git write-tree")).toBe(
      sh(tree.folder, "git add -A && git write-tree"),
    );
    expect(sh(clean, "cat $'bad\\xff.py'")).toBe("y \xfe\xe9\r\n");
  });

  it("holds a large text file completely", async () => {
    const tree = await workTree({ "a.py": "x = 1\n" });
    tree.act(
      "echo 'x = 2' > a.py && yes 'a line of some forty characters, more or' | head -c 3000000 > big.txt",
    );
    const patch = await tree.extract();
    expect(patch.record).toMatchObject({ files: ["a.py", "big.txt"], applies: true });
    expect(statSync(join(tree.applied(patch), "big.txt")).size).toBe(3_000_000);
  });

  it("leaves a file over the limit out, names it and keeps the rest", async () => {
    const tree = await workTree({ "a.py": "x = 1\n", "data.csv": "1\n" });
    tree.act(
      "echo 'x = 2' > a.py && truncate -s 60000000 huge.bin && truncate -s 20000001 data.csv",
    );
    const patch = await tree.extract();
    expect(patch.record).toMatchObject({
      files: ["a.py"],
      leftOut: [
        { path: "data.csv", reason: "too large" },
        { path: "huge.bin", reason: "too large" },
      ],
      applies: true,
    });
    tree.act("truncate -s 20000000 huge.bin");
    expect((await tree.extract()).record.files).toEqual(["a.py", "huge.bin"]);
  });

  it("covers many files", async () => {
    const tree = await workTree({ "a.py": "x = 1\n" });
    tree.act(
      "mkdir new && for i in $(seq 500); do echo $i > new/a-rather-long-name-for-one-file-$i.py; done",
    );
    const patch = await tree.extract();
    expect(patch.record.files).toHaveLength(500);
    expect(patch.record.applies).toBe(true);
  });
});
