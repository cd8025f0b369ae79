import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patchLadders } from "../../../src/eval/grading/eval-plan.ts";
import type { Generation } from "../../../src/eval/grading/log-parsers.ts";
import { errandsIn } from "../../../src/eval/harness/errands.ts";
import { layPatch } from "../../../src/eval/harness/lay-patch.ts";
import { missingPatch, openSmall, rightPatch, scratch, smallRepository } from "./small-instance.ts";

/** Its context is off by a word that only `patch` with fuzz forgives. */
const fuzzyPatch = `--- a/lines.txt
+++ b/lines.txt
@@ -3,5 +3,5 @@
 line three
 line 4
-line 5
+line five
 line 6
 line 7
`;

async function lay(patch: string, generation: Generation) {
  const environment = await openSmall(await smallRepository());
  try {
    const file = join(scratch(), "it's a patch.diff");
    writeFileSync(file, patch);
    const errands = errandsIn(environment, new AbortController().signal);
    const laid = await layPatch(errands, file, patchLadders[generation]);
    const { text } = await errands.run("git status --short; git diff -U0 | grep '^[-+][^-+]'");
    return { ...laid, left: text.replaceAll(/^\?\? .*\n/gm, "") };
  } finally {
    await environment.close();
  }
}

const mended = " M answer.txt\n-41\n+42\n";
const five = " M lines.txt\n-line 5\n+line five\n";

describe("a patch on its ladder", () => {
  it.each<[string, string, Generation, boolean, string, RegExp]>([
    ["that fits", rightPatch, "v4", true, mended, /^>>>>> Applied Patch: git apply --verbose\n/],
    ["that fits", rightPatch, "v5", true, mended, /^>>>>> Applied Patch: git apply --verbose\n/],
    ["that forgets a line", fuzzyPatch, "v4", true, five, /Applied Patch: patch --batch --fuzz=5/],
    [
      "that forgets a line",
      fuzzyPatch,
      "v5",
      true,
      five,
      /Patch: patch --batch --forward --fuzz=5/,
    ],
    ["for another tree", missingPatch, "v4", false, "", />>>>> Patch Apply Failed:\n[\s\S]*FAILED/],
    ["for another tree", missingPatch, "v5", false, "", />>>>> Patch Apply Failed:\n[\s\S]*FAILED/],
    ["that is none", "hello\n", "v5", false, "", />>>>> Patch Apply Failed:\n/],
  ])("%s (%#)", async (_, patch, generation, applied, left, account) => {
    const laid = await lay(patch, generation);
    expect(laid.applied).toBe(applied);
    expect(laid.account).toMatch(account);
    expect(laid.left).toBe(left);
  });

  it("of which git takes a half is reversed by v4's last try, and whole after v5's", async () => {
    const half = `${rightPatch}${fuzzyPatch}`;
    const old = await lay(half, "v4");
    const now = await lay(half, "v5");
    // `patch` takes what `git apply --reject` has laid for a patch to be reversed.
    expect([old.applied, old.left]).toEqual([true, five]);
    const whole = " M answer.txt\n M lines.txt\n-41\n+42\n-line 5\n+line five\n";
    expect([now.applied, now.left]).toEqual([true, whole]);
  });
});
