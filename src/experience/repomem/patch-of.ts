import type { Commit } from "./commit.ts";
import { type Git, textOf } from "./read-history.ts";

/** What a commit changed, as a patch against its first parent. */
export const patchFrom =
  (git: Git) =>
  (commit: Commit): Promise<string> =>
    textOf(
      git([
        "show",
        "--format=",
        "--patch",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-show-signature",
        commit.sha,
      ]),
    );
