import { relative } from "node:path";
import type { Entry } from "../viewer/library.ts";
import { shellWord, visible } from "./terminal-text.ts";
import { table } from "./text-table.ts";

/** Episodes that a message lists. */
const listed = 8;

export interface Choice {
  readonly entries: readonly Entry[];
  /** Where the first entry's run is kept; null: it stands in a file. */
  readonly state: string | null;
  readonly cwd: string;
  /** Where the page was to go, as the user wrote it. */
  readonly page: string;
}

/** Why one page cannot hold these episodes, what each is called, and a command to copy. */
export function choiceText({ entries, state, cwd, page }: Choice): string {
  const [first] = entries;
  const why = `A page holds one episode, or two beside each other; there are ${entries.length}`;
  if (first === undefined) return `${why}. Name what holds one.`;
  const rows = entries
    .slice(0, listed)
    .map(({ key, file, arm, title }) => [file ?? key, arm, title].map(visible));
  const head = [first.file === null ? "run" : "file", first.file === null ? "arm" : "format"];
  const lines = [
    ...table([...head, "instance"], rows),
    ...(entries.length > listed ? [`… and ${entries.length - listed} more`] : []),
  ].map((line) => `  ${line}`);
  const place = state === null ? [] : ["--state", relative(cwd, state) || "."];
  const words = ["pmcoder", "view", ...nameOf(first, entries), ...place, "--export", page];
  return [`${why}:`, ...lines, `Name one: ${words.map(shellWord).join(" ")}`].join("\n");
}

/** A file with several episodes is not enough to name one. */
function nameOf({ key, file, instanceId }: Entry, entries: readonly Entry[]): readonly string[] {
  if (file === null) return [key];
  const isAlone = entries.filter((entry) => entry.file === file).length === 1;
  return isAlone || instanceId === null ? [file] : [file, "--instance", instanceId];
}
