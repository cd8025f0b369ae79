import { join } from "node:path";
import { type ApplyOptions, applyPatch } from "../../src/cli/apply.ts";
import { repository, sh, temporaryFolder } from "../environments/repositories.ts";

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
export const files = { "a.py": lines, "lib/b.py": "b\n", "logo.png": "\0old" };

/** A repository and the patch of a change to it, which is undone. */
export function changed(change: string): { top: string; patchFile: string } {
  const top = repository(files);
  const patchFile = join(temporaryFolder(), "patch.diff");
  sh(
    top,
    `${change}\ngit add -A && git diff --cached --binary --full-index > ${patchFile}; git reset -q --hard`,
  );
  return { top, patchFile };
}

/** A change of every kind: an edit, a new file, a binary file, a mode. */
export const edit =
  "sed -i 's/7/seven/' a.py; echo n > lib/new.py; printf '\\0new' > logo.png; chmod +x lib/b.py";

/** What applying to a repository gave, which is TOP in its text. */
export async function apply(top: string, options: Omit<ApplyOptions, "repo">) {
  const outcome = await applyPatch({ repo: top, ...options });
  return { ...outcome, text: outcome.text.replaceAll(top, "TOP") };
}
