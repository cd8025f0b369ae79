import { mentionedFiles } from "./memory/mentions.ts";
import { viewOf } from "./memory/node.ts";
import { type ShellAction, type ShellContext, sortedListing } from "./shell/action.ts";
import { noteSeen, type ShellMemory } from "./shell/memory.ts";
import { understand } from "./shell/understand.ts";
import type { SubstrateState } from "./state.ts";

type Place = Pick<SubstrateState, "root" | "files" | "shell">;

/** A command as the episode so far lets it be understood. */
export interface Understood {
  readonly action: ShellAction;
  readonly shell: ShellMemory;
  /** It wrote a script that changes source when run, or a patch of it. */
  readonly preparesEdit: boolean;
}

/** What a command would mean if it ran now. */
export function understandNext(place: Place, command: string): Understood {
  const context = contextOf(place);
  const { action, memory: shell } = understand(command, place.shell, context);
  const preparesEdit = action.writes.some((path) => {
    const run = runOf(path);
    return run !== null && editsSource(understand(run, shell, context).action);
  });
  return { action, shell, preparesEdit };
}

/** Characters of an output in which listed files are looked for: its two ends (our choice). */
const listedChars = 8000;

/**
 * The memory of commands after an output: without a listing of the repository, what an inspection
 * lists or shows was there before, unless the episode is known to have made it.
 */
export function noteListed(
  { action, shell }: Understood,
  { root, files, output }: Pick<Place, "root" | "files"> & { readonly output: string },
): ShellMemory {
  if (files !== null || !action.segments.some((segment) => segment.class === "inspect")) {
    return shell;
  }
  const text = viewOf(output, listedChars);
  return noteSeen(shell, mentionedFiles(text, { root, isKnown: () => false }));
}

function contextOf({ root, files }: Place): ShellContext {
  return { root, listing: files === null ? null : sortedListing(files) };
}

const runners: readonly (readonly [RegExp, string])[] = [
  [/\.py$/, "python"],
  [/\.[cm]?js$/, "node"],
  [/\.sh$/, "bash"],
];

/** The command that would run a script; null for other files. */
function runOf(path: string): string | null {
  const runner = runners.find(([ending]) => ending.test(path))?.[1];
  return runner === undefined ? null : `${runner} '${path.replaceAll("'", "'\\''")}'`;
}

function editsSource({ segments }: ShellAction): boolean {
  return segments.some(
    (segment) => segment.class === "edit" && (segment.unresolved || segment.source.length > 0),
  );
}
