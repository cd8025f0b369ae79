// biome-ignore lint/style/noRestrictedImports: a hash is a pure function of its input.
import { createHash } from "node:crypto";
import type { IssueIdentity } from "./experience.ts";

/** An issue as the leak guard compares it, without its text. */
export interface Origin {
  readonly instanceId: string | null;
  /** `owner/name`. */
  readonly repo: string | null;
  /** When the issue was written, epoch ms. */
  readonly createdAt: number | null;
  /** The same for two issues whose texts have the same letters and digits. */
  readonly issueKey: string;
}

/**
 * The letters and digits of the text, without case, forms of Unicode, markup and white space: a
 * quoted or reflowed copy of an issue is the same issue.
 */
function issueKeyOf(text: string): string {
  const kept =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return createHash("sha256").update(kept.join(" ")).digest("hex").slice(0, 32);
}

export function originOf({ instanceId, repo, createdAt, issue }: IssueIdentity): Origin {
  return { instanceId, repo, createdAt, issueKey: issueKeyOf(issue) };
}
