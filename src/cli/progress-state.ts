import type { AdviceRecord, PatchRecord, RecordedEvent } from "../domain/episode.ts";
import { isStep } from "../domain/model.ts";
import type { PolicyPhase } from "../domain/phase.ts";

/** What is going on, and since when (epoch ms). */
interface Activity {
  readonly type: "model" | "command" | "check" | "patch";
  readonly since: number;
  /** The command that runs. */
  readonly command?: string;
}

/** The plan in one line: the phase, and the sub-task with its place. */
interface PlanLine {
  readonly phase: PolicyPhase;
  readonly subTask: string;
}

/** An episode as far as its progress goes: a fold over its events. */
export interface Progress {
  readonly startedAt: number;
  readonly step: number;
  readonly replies: number;
  readonly tokens: number;
  /** US dollars; null once a reply's price was unknown. */
  readonly cost: number | null;
  /** The commands of the step under way, by call. */
  readonly commands: ReadonlyMap<string, string>;
  readonly patch: PatchRecord | null;
  /** Where the plan stands; null without a planner. */
  readonly plan: PlanLine | null;
  /** The newest advice moved the plan. */
  readonly moved: boolean;
  /** null before the beginning and after the end. */
  readonly activity: Activity | null;
}

export const notStarted: Progress = {
  startedAt: 0,
  step: 1,
  replies: 0,
  tokens: 0,
  cost: 0,
  commands: new Map(),
  patch: null,
  plan: null,
  moved: false,
  activity: null,
};

export function advance(progress: Progress, event: RecordedEvent): Progress {
  switch (event.type) {
    case "begin":
    case "resume":
      return { ...progress, startedAt: event.at, activity: { type: "model", since: event.at } };
    case "reply": {
      const own = isStep(event.purpose) ? { step: event.step, replies: progress.replies + 1 } : {};
      const tokens = progress.tokens + event.usage.input + event.usage.output;
      return {
        ...progress,
        ...own,
        tokens,
        cost: plus(progress.cost, event.cost),
        commands: new Map(),
      };
    }
    case "command": {
      const { step, callId, command, at } = event;
      const commands = new Map(progress.commands).set(callId, command);
      return { ...progress, step, commands, activity: { type: "command", since: at, command } };
    }
    case "check":
      return { ...progress, activity: { type: "check", since: event.at } };
    case "observation":
    case "format_error":
      return { ...progress, step: event.step + 1, activity: { type: "model", since: event.at } };
    case "advice": {
      const plan = planOf(event);
      const moved =
        plan?.phase !== progress.plan?.phase || plan?.subTask !== progress.plan?.subTask;
      return { ...progress, plan, moved };
    }
    case "submission":
      return { ...progress, step: event.step, activity: { type: "patch", since: event.at } };
    case "patch":
      return { ...progress, patch: event };
    case "end":
      return { ...progress, activity: null };
    default:
      return progress;
  }
}

function planOf({ policyPhase, subTask, done, total }: AdviceRecord): PlanLine | null {
  if (policyPhase === null) return null;
  const title = subTask === null ? "every sub-task is done" : subTask.title;
  return { phase: policyPhase, subTask: `${done}/${total} ${title}` };
}

function plus(cost: number | null, more: number | null): number | null {
  return cost === null || more === null ? null : cost + more;
}
