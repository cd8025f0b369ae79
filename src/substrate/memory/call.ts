import type { Step } from "../../domain/episode.ts";
import type { SegmentClass, ShellAction } from "../shell/action.ts";
import type { CountedCall } from "./statistics.ts";

/** One executed call, with what the harness understood of its command. */
export interface RememberedCall extends CountedCall {
  /** What the model said in this turn. */
  readonly thought: string;
  readonly command: string;
  /** What the command printed, before the harness appended anything. */
  readonly output: string;
  /** Files whose content it looked at; running a script is not reading it. */
  readonly read: readonly string[];
  /** Every file that it names: read, changed, reverted or run. */
  readonly files: readonly string[];
}

/** Programs whose exit code 1 only says that nothing was found, or that something differs. */
const searchers = new Set(["grep", "egrep", "fgrep", "rg", "ag", "diff", "cmp", "test", "["]);

/** Beside these an inspection is no mere read. */
const workClasses = ["edit", "revert", "test", "execute", "history"] as const;
const actClasses = ["edit", "revert", "test", "execute"] as const;
const lookClasses: readonly SegmentClass[] = ["inspect", "history", "review"];

/**
 * What memory keeps of a step and its understood command. As touched count files that were read,
 * source that was changed, and reverts: scripts of the agent's own would crowd out the source that
 * they are about (our choice).
 */
export function callOf(step: Step, action: ShellAction): RememberedCall {
  const { segments, reverted } = action;
  const does = (kind: SegmentClass) => segments.some((segment) => segment.class === kind);
  const named = action.reads.map(({ path }) => path);
  const read = segments
    .filter((segment) => lookClasses.includes(segment.class))
    .flatMap((segment) => segment.reads.map(({ path }) => path));
  const edited = [...action.writes, ...action.deleted].filter((file) => file !== ".");
  const source = segments.flatMap((segment) => segment.source);
  return {
    turn: step.index,
    thought: step.thought,
    command: step.command,
    output: step.output,
    action: action.normalized,
    exitCode: step.exitCode,
    read: filesAmong(read),
    files: filesAmong([...read, ...edited, ...reverted, ...named]),
    touched: filesAmong([...read, ...source, ...reverted]),
    edited,
    reverted,
    isRevert: does("revert"),
    isSourceEdit: segments.some(
      (segment) => segment.class === "edit" && (segment.unresolved || segment.source.length > 0),
    ),
    isRead: does("inspect") && !workClasses.some(does),
    isLook: lookClasses.some(does) && !actClasses.some(does),
    isSubmit: does("submit"),
    isSearch: searchers.has(action.lastHead ?? ""),
  };
}

/** Folders are searched and listed all the time; what belongs together are files. */
function filesAmong(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => /[^/]\.\w+$/.test(path));
}
