import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sh } from "../environments/repositories.ts";
import { apply, changed, edit } from "./patched-repository.ts";

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
