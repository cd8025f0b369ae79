import { describe, expect, it } from "vitest";
import { sh } from "../environments/repositories.ts";
import { apply, changed, edit } from "./patched-repository.ts";

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
