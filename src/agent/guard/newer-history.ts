import type { CommandResult, Environment } from "../../domain/environment.ts";
import type { Base } from "../patch/base.ts";
import { quote, unsetGit } from "../patch/script.ts";

/** Our choice: 240,000 objects took 3.4 s on two busy processors. */
const timeoutSec = 120;

/** Names of refs that are asked for; the notice shows fewer. */
const maxNames = 50;
const shownNames = 3;

/**
 * Counts commits that are younger than the base and no ancestors of it: those that each kind of ref
 * and the reflogs reach, and all that the object store holds, reached or not. Then the newest refs
 * that the base does not have, each with its time. The private folder is HOME, as for the base.
 */
function scriptFor({ top, store, commit }: Base & { readonly commit: string }): string {
  return `${unsetGit}
unset XDG_CONFIG_HOME
export LC_ALL=C GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 HOME=${quote(store)}
cd ${quote(top)} || exit 1
base=${commit}
young=--max-age=$(($(git show -s --format=%ct $base) + 1)) || exit 1
for kind in branches tags remotes all reflog; do
  printf '%s\\0' "$(git rev-list --count $young --$kind --not $base)"
done
git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' |
  { sed -n 's/^commit //p'; echo ^$base; } | git rev-list --count $young --stdin
printf '\\0%s\\n' "$young"
git for-each-ref --no-merged=$base --sort=-creatordate --count=${maxNames} \\
  --format='%(creatordate:unix) %(refname:short)'
`;
}

/** What the script found. */
export interface NewerHistory {
  /** Commits that each reaches: branches, tags, remotes, the reflogs. */
  readonly reached: Readonly<Record<"branches" | "tags" | "remotes" | "reflog", number>>;
  /** All such commits in the object store. */
  readonly commits: number;
  /** Refs that lead to some of them, the newest first. */
  readonly names: readonly string[];
}

/** Reads the script's output; null when it does not hold what the script prints. */
export function readNewerHistory(output: string): NewerHistory | null {
  const parts = output.split("\0").slice(-7);
  const [branches, tags, remotes, all, reflog, stored] = parts.slice(0, 6).map(Number);
  const [youngest = "", ...lines] = (parts[6] ?? "").trim().split("\n");
  const since = Number(/^--max-age=(\d+)$/.exec(youngest)?.[1]);
  const counts = { branches, tags, remotes, all, reflog, stored };
  if (parts.length < 7 || !Object.values(counts).every(Number.isInteger) || !since) return null;
  const names = lines.flatMap((line) => {
    const [, time, name = ""] = /^(\d+) (.+)$/.exec(line) ?? [];
    return Number(time) >= since ? [name] : [];
  });
  const [b = 0, t = 0, r = 0, a = 0, g = 0, s = 0] = Object.values(counts);
  return {
    reached: { branches: b, tags: t, remotes: r, reflog: g },
    commits: Math.max(a, g, s),
    names,
  };
}

/** For the user of an instance, whose solution may be among these commits; null: there are none. */
export function newerHistoryNotice({ reached, commits, names }: NewerHistory): string | null {
  if (commits === 0) return null;
  const ways = Object.entries(reached).flatMap(([way, count]) => (count > 0 ? [way] : []));
  const shown = [...names.slice(0, shownNames), ...(names.length > shownNames ? ["…"] : [])];
  const by = ways.length === 0 ? "none of them by a name" : `by ${ways.join(", ")}`;
  const such = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
  return `The repository can reach ${commits} ${commits === 1 ? "commit" : "commits"} newer than its base (${by}${such}); the solution may be among them. Commands that look there are listed in summary.json under guard.`;
}

/**
 * Whether an instance's repository, before anything was done in it, gives its future away: a notice,
 * or null. Rejects only with `environment_lost`.
 */
export async function guardHistory(environment: Environment, base: Base): Promise<string | null> {
  const { commit } = base;
  if (commit === null) return null;
  const result = await environment.execute(scriptFor({ ...base, commit }), { timeoutSec });
  const found = result.exitCode === 0 ? readNewerHistory(textOf(result)) : null;
  if (found !== null) return newerHistoryNotice(found);
  return "Whether the repository can reach commits newer than its base could not be told.";
}

function textOf({ output }: CommandResult): string {
  return Buffer.concat([output.head, output.tail]).toString("utf8");
}
