import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ApplyOptions, applyPatch } from "../../src/cli/apply.ts";
import { bound, repository, sh, stateOf, temporaryFolder } from "../environments/repositories.ts";

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const files = { "a.py": lines, "lib/b.py": "b\n", "logo.png": "\0old" };

/** A repository and the patch of a change to it, which is undone. */
function changed(change: string): { top: string; patchFile: string } {
  const top = repository(files);
  const patchFile = join(temporaryFolder(), "patch.diff");
  sh(
    top,
    `${change}\ngit add -A && git diff --cached --binary --full-index > ${patchFile}; git reset -q --hard`,
  );
  return { top, patchFile };
}

const edit =
  "sed -i 's/7/seven/' a.py; echo n > lib/new.py; printf '\\0new' > logo.png; chmod +x lib/b.py";

async function apply(top: string, options: Omit<ApplyOptions, "repo">) {
  const outcome = await applyPatch({ repo: top, ...options });
  return { ...outcome, text: outcome.text.replaceAll(top, "TOP") };
}

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

describe("applyPatch on a new branch", () => {
  it("leaves the changes there, uncommitted", async () => {
    const { top, patchFile } = changed(edit);
    sh(
      top,
      "echo mine > mine.py; printf '#!/bin/sh\\ntouch ran' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
    );
    const outcome = await apply(top, { patchFile, branch: "fix/minutes" });
    expect(outcome.text.split("\n")[0]).toBe(
      "Applied to TOP on the new branch fix/minutes, not committed: 4 files.",
    );
    expect(
      sh(
        top,
        "git symbolic-ref HEAD; git rev-parse HEAD main | uniq | wc -l; git status --porcelain",
      ),
    ).toBe(
      "refs/heads/fix/minutes\n1\n M a.py\n M lib/b.py\n M logo.png\n?? lib/new.py\n?? mine.py\n",
    );
  });

  it.each([
    [
      "main",
      "The branch main exists already: choose another name, or leave --branch out to apply to the tree as it stands.",
    ],
    ["-x", '"-x" cannot be the name of a branch: choose another.'],
    ["a..b", '"a..b" cannot be the name of a branch: choose another.'],
    ["main/sub", "The branch main/sub cannot be made: "],
  ])("refuses %s", async (branch, message) => {
    const { top, patchFile } = changed(edit);
    const before = sh(top, "git status --porcelain; git branch");
    const refusal = apply(top, { patchFile, branch });
    await expect(refusal).rejects.toMatchObject({ code: "usage" });
    await expect(refusal).rejects.toThrow(message);
    expect(sh(top, "git status --porcelain; git branch")).toBe(before);
  });
});

describe("applyPatch with a three-way merge", () => {
  it("merges where the tree has moved on", async () => {
    const { top, patchFile } = changed("sed -i 's/7/seven/' a.py");
    sh(top, "sed -i 's/4/four/' a.py; git commit -qam four");
    expect((await apply(top, { patchFile })).type).toBe("refused");
    expect(await apply(top, { patchFile, threeWay: true })).toMatchObject({
      type: "applied",
      exitCode: 0,
    });
    expect(readFileSync(join(top, "a.py"), "utf8")).toBe("1\n2\n3\nfour\n5\n6\nseven\n8\n9\n");
  });

  it("marks conflicts and says where", async () => {
    const { top, patchFile } = changed(edit);
    sh(top, "sed -i 's/7/sieben/' a.py; git commit -qam sieben");
    const check = await apply(top, { patchFile, threeWay: true, check: true });
    expect(check).toMatchObject({ type: "conflicts", exitCode: 1 });
    expect(check.text.split("\n")[0]).toBe(
      "The patch would apply to TOP with conflicts in a.py; it would change 4 files:",
    );
    expect(sh(top, "git status --porcelain")).toBe("");
    const outcome = await apply(top, { patchFile, threeWay: true });
    expect(outcome).toMatchObject({ type: "conflicts", exitCode: 1 });
    expect(outcome.text.split("\n").at(-1)).toBe("Resolve the conflicts marked in a.py.");
    expect(readFileSync(join(top, "a.py"), "utf8")).toContain(
      "<<<<<<< ours\nsieben\n=======\nseven\n>>>>>>> theirs\n",
    );
  });

  it("does without a merge when the patch applies as it is", async () => {
    const { top, patchFile } = changed(edit);
    sh(top, "sed -i 's/1/one/' a.py");
    expect((await apply(top, { patchFile, threeWay: true })).type).toBe("applied");
    expect(sh(top, "git diff --cached --name-only")).toBe("");
  });

  it("refuses a merge over uncommitted changes to the same file", async () => {
    const { top, patchFile } = changed(edit);
    sh(top, "sed -i 's/7/sieben/' a.py");
    const outcome = await apply(top, { patchFile, threeWay: true });
    expect(outcome.text).toMatchInlineSnapshot(`
      "The patch does not apply to TOP; nothing was changed.
        a.py: does not match index
        repository lacks the necessary blob to perform 3-way merge.
      A merge needs the files as committed: commit or stash your changes to them and try again."
    `);
    expect(sh(top, "git status --porcelain")).toBe(" M a.py\n");
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
