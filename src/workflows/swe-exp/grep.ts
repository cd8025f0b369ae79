import { quote } from "../../agent/patch/script.ts";
import type { Overlay } from "../edits.ts";
import type { Workspace } from "./workspace.ts";

export interface Hit {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Hits that are asked for, and characters of each: an output is shown whole up to 10,000. */
const most = { hits: 60, chars: 150 };

/** `git grep` sees new files too, leaves ignored ones out, and takes a repository whoever owns it. */
export const gitGrep =
  "git -c safe.directory='*' -c core.quotePath=false grep --no-color --untracked -I";

/** Limits a search to files, which must be no pathspec with magic of its own. */
export function pathspec(pattern: string | undefined): string {
  const plain = pattern?.replace(/^:+/, "") ?? "";
  return plain === "" ? "" : ` -- ${quote(plain)}`;
}

/**
 * Lines that match, in the order of files. `how`: an extended regular expression or a plain text. A
 * string says why nothing could be searched.
 */
export async function grep(
  workspace: Workspace,
  place: { readonly overlay: Overlay; readonly patch: string },
  wanted: {
    readonly how: "-E" | "-F";
    readonly patterns: readonly string[];
    readonly files?: string | undefined;
  },
): Promise<readonly Hit[] | string> {
  const patterns = wanted.patterns.map((pattern) => `-e ${quote(pattern)}`).join(" ");
  const search = `${gitGrep} -n ${wanted.how} ${patterns}${pathspec(wanted.files)}`;
  const command = `{ ${search}; echo "status $?" >&2; } 2>&1 | cut -c1-${most.chars} | head -n ${most.hits}`;
  const { output } = await workspace.shell(command, place.patch);
  const hits = output.split("\n").flatMap((line) => hitIn(line, workspace, place.overlay));
  const problem = /^(?:fatal|error): .*/m.exec(output)?.[0];
  return hits.length === 0 && problem !== undefined ? problem : hits;
}

function hitIn(line: string, workspace: Workspace, overlay: Overlay): readonly Hit[] {
  const match = /^(.+?):(\d+):/.exec(line);
  const [, file = "", number = ""] = match ?? [];
  return workspace.holds(file, overlay) ? [{ file, line: Number(number) }] : [];
}
