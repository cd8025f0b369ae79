import type { Environment } from "../../domain/environment.ts";
import { type Base, runOnBase } from "./base.ts";
import { quote } from "./script.ts";

/**
 * Brings the work tree back to the base: changed and missing files as they were, new ones removed.
 * What the repository ignores stays, and so does what stood beside the base from the beginning.
 */
export async function restoreBase(environment: Environment, base: Base): Promise<void> {
  const script = `lines() { tr '\\000\\n' '\\n\\000'; }
export GIT_INDEX_FILE="$HOME/restored"
cp -p "$GIT_DIR/index" "$GIT_INDEX_FILE" || exit 1
git read-tree --reset -u ${base.tree} || exit 1
lines < "$HOME/unbased" > "$HOME/unbased-lines"
git ls-files -z -o --exclude-standard | lines | grep -avxF -f "$HOME/unbased-lines" |
  lines | xargs -0 rm -rf --
exit 0`;
  await runOnBase(environment, base, script, { task: "restore the base", expected: [0] });
}

/** The bytes of a file as the base has it; null: there is none. A link is the path that it holds. */
export async function readBase(
  environment: Environment,
  base: Base,
  path: string,
): Promise<Uint8Array | null> {
  const script = `git cat-file blob ${quote(`${base.tree}:${path}`)} > "$HOME/blob" || exit 3`;
  const plan = { task: `read ${path}`, expected: [0, 3] };
  const { exitCode } = await runOnBase(environment, base, script, plan);
  return exitCode === 0 ? environment.read(`${base.store}/blob`) : null;
}
