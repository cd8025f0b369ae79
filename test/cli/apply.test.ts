import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/cli/apply.ts";
import { bound, repository, sh, stateOf, temporaryFolder } from "../environments/repositories.ts";
import { apply, changed, edit, files } from "./patched-repository.ts";

describe("applyPatch", () => {
  it("applies to the tree as it stands, uncommitted work included, and commits nothing", async () => {
    const { top, patchFile } = changed(edit);
    sh(top, "sed -i 's/1/one/' a.py; echo mine > mine.py");
    const head = sh(top, "git rev-parse HEAD");
    expect(await apply(top, { patchFile })).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "files": [
          "a.py",
          "lib/b.py",
          "lib/new.py",
          "logo.png",
        ],
        "text": "Applied to TOP, not committed: 4 files.
        a.py  +1 -1
        lib/b.py  +0 -0
        lib/new.py  +1 -0
        logo.png  binary",
        "type": "applied",
      }
    `);
    expect(readFileSync(join(top, "a.py"), "utf8")).toBe("one\n2\n3\n4\n5\n6\nseven\n8\n9\n");
    expect(sh(top, "git rev-parse HEAD")).toBe(head);
    expect(sh(top, "git status --porcelain")).toBe(
      " M a.py\n M lib/b.py\n M logo.png\n?? lib/new.py\n?? mine.py\n",
    );
  });

  it("works from a folder of the repository", async () => {
    const { top, patchFile } = changed(edit);
    expect((await applyPatch({ repo: join(top, "lib"), patchFile })).files).toEqual([
      "a.py",
      "lib/b.py",
      "lib/new.py",
      "logo.png",
    ]);
    expect(readFileSync(join(top, "lib/new.py"), "utf8")).toBe("n\n");
  });

  it("only says what would change when it is to check", async () => {
    const { top, patchFile } = changed(edit);
    const before = stateOf(top);
    expect(await apply(top, { patchFile, check: true, branch: "new" })).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "files": [
          "a.py",
          "lib/b.py",
          "lib/new.py",
          "logo.png",
        ],
        "text": "The patch applies to TOP; it would change 4 files:
        a.py  +1 -1
        lib/b.py  +0 -0
        lib/new.py  +1 -0
        logo.png  binary",
        "type": "would_apply",
      }
    `);
    expect(stateOf(top)).toBe(before);
  });

  it("refuses as a whole what does not apply, and suggests a merge", async () => {
    const { top, patchFile } = changed(edit);
    sh(top, "sed -i 's/7/sieben/' a.py");
    const before = stateOf(top);
    expect(await apply(top, { patchFile, branch: "new" })).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "files": [
          "a.py",
          "lib/b.py",
          "lib/new.py",
          "logo.png",
        ],
        "text": "The patch does not apply to TOP; nothing was changed.
        patch failed: a.py:4
        a.py: patch does not apply
      Where the tree has moved on, --three-way merges and marks conflicts.",
        "type": "refused",
      }
    `);
    expect(stateOf(top)).toBe(before);
  });

  it("says that it is applied already", async () => {
    const { top, patchFile } = changed(edit);
    await apply(top, { patchFile });
    expect(await apply(top, { patchFile })).toMatchObject({
      type: "refused",
      exitCode: 1,
      text: "The patch is applied in TOP already; nothing was changed.",
    });
  });

  it.each(["", "\n", " \n\n"])("says that the patch %j is empty", async (text) => {
    const top = repository(files);
    const patchFile = join(temporaryFolder(), "patch.diff");
    writeFileSync(patchFile, text);
    expect(await apply(top, { patchFile })).toEqual({
      type: "empty",
      exitCode: 0,
      files: [],
      text: "The patch is empty: nothing to apply.",
    });
  });

  it("keeps CRLF and ignores the user's settings for applying", async () => {
    const { top, patchFile } = changed("printf 'x \\r\\ny\\t\\r\\n' > crlf.py");
    sh(
      top,
      "git config apply.whitespace fix; git config apply.ignoreWhitespace change; git config core.whitespace trailing-space",
    );
    await apply(top, { patchFile });
    expect(readFileSync(join(top, "crlf.py"), "utf8")).toBe("x \r\ny\t\r\n");
  });
});

describe("applyPatch with bad input", () => {
  it("names a patch file that is not there", async () => {
    const patchFile = join(temporaryFolder(), "none.diff");
    await expect(apply(repository(files), { patchFile })).rejects.toMatchObject({
      code: "usage",
      message: `There is no patch to read at ${patchFile}.`,
    });
  });

  it("refuses what is not a patch", async () => {
    const patchFile = join(temporaryFolder(), "prose");
    writeFileSync(patchFile, "I changed a.py.\n");
    expect(await apply(repository(files), { patchFile })).toMatchObject({
      type: "refused",
      files: [],
    });
  });

  it("needs a repository", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "p"), "");
    await expect(apply(folder, { patchFile: join(folder, "p") })).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("leaves the tree as it was when a file cannot be written", async () => {
    const { top, patchFile } = changed(
      "echo 2 > a.py; ln -s a.py link; rm lib/b.py; echo n > lib/n.py; printf '\\0new' > logo.png",
    );
    sh(top, "chmod 555 lib; git status");
    const around = join(top, "..");
    sh(around, `cp ${patchFile} patch`);
    const status = "git status --porcelain; git symbolic-ref HEAD; git branch; cat a.py; ls";
    await bound(around, async () => {
      const before = sh(top, status);
      const failing = apply(top, { patchFile: join(around, "patch"), branch: "new" });
      await expect(failing).rejects.toMatchObject({
        code: "storage",
        message: expect.stringMatching(/fits .* but could not be written; the tree is as it was\./),
      });
      expect(sh(top, status)).toBe(before);
    });
    sh(top, "chmod 755 lib");
  });
});
