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
  readonly read: readonly string[];
}

/** Programs whose exit code 1 only says that nothing was found, or that something differs. */
const searchers = new Set(["grep", "egrep", "fgrep", "rg", "ag", "diff", "cmp", "test", "["]);

/** Beside these an inspection is no mere read. */
const workClasses = ["edit", "revert", "test", "execute", "history"] as const;

/** What memory keeps of a step and its understood command. */
export function callOf(step: Step, action: ShellAction): RememberedCall {
  const does = (kind: SegmentClass) => action.segments.some((segment) => segment.class === kind);
  const read = action.reads.map(({ path }) => path).filter(isFile);
  const edited = [...action.writes, ...action.deleted].filter((file) => file !== ".");
  const touched = [...read, ...edited, ...action.reverted].filter(isFile);
  return {
    turn: step.index,
    thought: step.thought,
    command: step.command,
    output: step.output,
    action: action.normalized,
    exitCode: step.exitCode,
    read,
    touched: [...new Set(touched)],
    edited,
    reverted: action.reverted,
    isRevert: does("revert"),
    isSourceEdit: action.segments.some(
      (segment) => segment.class === "edit" && (segment.unresolved || segment.source.length > 0),
    ),
    isRead: does("inspect") && !workClasses.some(does),
    isSubmit: does("submit"),
    isSearch: searchers.has(action.lastHead ?? ""),
  };
}

/** Folders are searched and listed all the time; what belongs together are files. */
function isFile(path: string): boolean {
  return /[^/]\.\w+$/.test(path);
}
