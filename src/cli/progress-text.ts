import type {
  ExitStatus,
  FormatErrorKind,
  Observation,
  PatchRecord,
  RecordedEvent,
} from "../domain/episode.ts";
import { isWorkflowStep } from "../domain/model.ts";
import { bytes, count, dollars, duration, plural } from "../domain/quantities.ts";
import { adviceLines, experienceLines } from "./progress-advice.ts";
import { corruptLines, verdictLine } from "./progress-grounding.ts";
import { choiceLine, nodeLine, rewardLine } from "./progress-search.ts";
import type { Progress } from "./progress-state.ts";
import { resumeFlag } from "./standing.ts";
import { cut, type Paint, type Style, visible, widthOf } from "./terminal-text.ts";

/** How lines are laid out; `output` is the folder with the run's results. */
export interface Layout {
  readonly columns: number;
  readonly paint: Paint;
  readonly output: string;
  /** The command that takes the patch (default: `pmcoder apply last`); null: there is none. */
  readonly apply?: string | null | undefined;
  /** The command that goes on with the run (default: `pmcoder resume last`). */
  readonly resume?: string | undefined;
}

type EventOf<Type extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

/** The lines that stay on the screen for an event. `progress` includes it already. */
export function linesOf(
  event: RecordedEvent,
  progress: Progress,
  layout: Layout,
): readonly string[] {
  const { paint } = layout;
  switch (event.type) {
    case "begin":
      return [beginLine(event, paint)];
    case "resume":
      return [resumeLine(event, progress, paint)];
    case "compact":
      return [paint("yellow", `the context was full: results up to step ${event.upTo} are cut`)];
    case "remark":
      return [paint("dim", remarks[event.about])];
    case "skipped":
      return [`${paint("dim", `step ${event.step}`)}  ${paint("yellow", "a call is not run")}`];
    case "notice":
      return [paint("yellow", visible(event.text))];
    case "retry":
      return [paint("yellow", retryLine(event))];
    case "reply":
      return replyLines(event, layout);
    case "stage":
      return [`${paint("bold", event.stage)}  ${visible(event.text)}`];
    case "format_error":
      return [
        `${paint("dim", `step ${event.step}`)}  ${paint("yellow", formatErrors[event.kind])}`,
      ];
    case "observation": {
      const command = progress.commands.get(event.callId) ?? "";
      return [stepLine(event.step, command, event, layout)];
    }
    case "integrity":
      return corruptLines(event, paint);
    case "verdict":
      return [verdictLine(event, paint)];
    case "advice":
      return adviceLines(event, progress, paint);
    case "experience":
      return experienceLines(event, paint);
    case "node":
      return [nodeLine(event, layout)];
    case "reward":
      return [rewardLine(event, layout)];
    case "choice":
      return [choiceLine(event, layout)];
    case "submission":
      return [
        `${paint("dim", `step ${event.step}`)}  ${paint("green", "the model submits its work")}`,
      ];
    case "patch":
      return leftOutLines(event);
    case "end":
      return endLines(event, progress, layout);
    default:
      return [];
  }
}

const activities = {
  model: "model thinks",
  command: "runs",
  check: "tries the reproduction",
  patch: "takes the patch",
} as const;

/** The one line that is redrawn while something is under way; `now` is epoch ms. */
export function liveLine(progress: Progress, now: number, columns: number): string {
  const { activity, startedAt, step, tokens, cost } = progress;
  if (activity === null) return "";
  const seconds = (since: number) => duration(Math.max(0, Math.floor((now - since) / 1000)));
  const doing = activities[activity.type];
  const parts = [
    `step ${step}`,
    ...(progress.plan === null ? [] : [progress.plan.phase]),
    `${doing} ${seconds(activity.since)}`,
    `${count(tokens)} tokens`,
    dollars(cost),
    seconds(startedAt),
    ...(activity.command === undefined ? [] : [`$ ${visible(activity.command)}`]),
  ];
  return cut(parts.join(" · "), columns);
}

/** What a model said in a step; a workflow's says why it was asked. */
function replyLines({ step, purpose, message }: EventOf<"reply">, layout: Layout) {
  if (purpose === "act") return thoughtLines(message.content, layout);
  if (!isWorkflowStep(purpose)) return [];
  const lines = message.content.split("\n").map((line) => line.trim());
  const first = lines.find((line) => /\w/.test(line) && !line.startsWith("```")) ?? "no words";
  const { paint, columns } = layout;
  const head = `step ${step}  ${purpose}  `;
  return [paint("dim", head) + paint("dim", cut(`“${visible(first)}”`, columns - widthOf(head)))];
}

/** The first line of what the model says before it acts. */
function thoughtLines(content: string, { columns, paint }: Layout): readonly string[] {
  const [first = ""] = content.trim().split("\n");
  return first === "" ? [] : [paint("dim", cut(`“${visible(first)}”`, columns))];
}

function beginLine(event: EventOf<"begin">, paint: Paint): string {
  const { run, arm, model, environment, instanceId } = event;
  const where = `${environment.kind} at ${visible(environment.workdir)}`;
  const what = [arm, instanceId ?? [], visible(model), where].flat().join(" · ");
  return `${paint("bold", `run ${run}`)} · ${what}`;
}

function resumeLine(event: EventOf<"resume">, { step }: Progress, paint: Paint): string {
  const from = event.rebuilt ? "in an environment built anew" : "where it was";
  return `${paint("bold", `run ${event.run}`)} goes on ${from}, at step ${step}`;
}

const remarks = {
  limit: "the model is told that a limit is near",
  raised: "the model is told that the limit was raised",
  rebuilt: "the model is told that the environment was built anew",
} as const;

function retryLine({ attempt, of, waitSec, reason }: EventOf<"retry">): string {
  const wait = duration(waitSec);
  return `model call failed (${attempt} of ${of}), again in ${wait}: ${visible(reason)}`;
}

const formatErrors: Record<FormatErrorKind, string> = {
  no_call: "the reply calls no tool; the model is asked again",
  malformed: "the reply's tool call is malformed; the model is asked again",
  cut: "the reply was cut at its length limit; the model is asked again",
  unknown_tool: "the reply calls an unknown tool; the model is asked again",
  refusal: "the model refused; it is asked again",
};

function outcomeOf(observation: Observation): { readonly text: string; readonly style: Style } {
  const { exitCode, timedOut, interrupted, background, seconds } = observation;
  const time = `(${duration(seconds)})`;
  if (interrupted) return { text: `interrupted ${time}`, style: "yellow" };
  if (timedOut) return { text: `time limit ${time}`, style: "yellow" };
  const more = background ? ", a process stays" : "";
  return { text: `exit ${exitCode}${more} ${time}`, style: exitCode === 0 ? "green" : "yellow" };
}

function stepLine(step: number, command: string, observation: Observation, layout: Layout): string {
  const { paint, columns } = layout;
  const { text, style } = outcomeOf(observation);
  const head = `step ${step}`;
  const tail = `→ ${text}`;
  const room = columns - widthOf(head) - widthOf(tail) - "  $   ".length;
  const shown = cut(visible(command), Math.max(room, 8));
  return `${paint("dim", head)}  $ ${shown}  ${paint(style, tail)}`;
}

function endLines(event: EventOf<"end">, progress: Progress, layout: Layout): readonly string[] {
  const { paint, output, apply = "pmcoder apply last", resume = "pmcoder resume last" } = layout;
  const { patch, replies, tokens, cost } = progress;
  const spent = [
    plural(replies, "step"),
    `${count(tokens)} tokens`,
    dollars(cost),
    duration(event.seconds),
  ].join(" · ");
  const next = nextCommand(event.status, patch, apply);
  const flag = resumeFlag(event.status);
  return [
    endingLine(event, paint),
    `  spent   ${spent}`,
    `  patch   ${patchText(patch)}`,
    `  output  ${visible(output)}`,
    ...(next === null ? [] : [`  next    ${paint("bold", next)}`]),
    ...(flag === null ? [] : [`  resume  ${paint("bold", `${resume} ${flag}`.trim())}`]),
  ];
}

/** The status and its reason. One that begins with the status says it for both. */
function endingLine({ status, reason }: EventOf<"end">, paint: Paint): string {
  const shown = paint(status === "submitted" ? "green" : "yellow", status);
  const said = visible(reason);
  return said.startsWith(`${status} `)
    ? `${shown}${said.slice(status.length)}`
    : `${shown}: ${said}`;
}

/** Lines for what a patch leaves out; the record names the rest. */
const leftOutLines = ({ leftOut }: PatchRecord): readonly string[] => {
  const shown = leftOut
    .slice(0, 5)
    .map(({ path, reason }) => `left out of the patch: ${visible(path)} (${visible(reason)})`);
  const more = leftOut.length - shown.length;
  return more === 0 ? shown : [...shown, `left out of the patch: ${more} more`];
};

function patchText(patch: PatchRecord | null): string {
  if (patch === null || patch.bytes === 0) return "none";
  const shown = patch.files.slice(0, 8).map(visible).join(", ");
  const more = patch.files.length > 8 ? ` and ${patch.files.length - 8} more` : "";
  const fault = patch.applies ? "" : "; it does NOT apply to the base";
  return `${plural(patch.files.length, "file")} (${bytes(patch.bytes)}): ${shown}${more}${fault}`;
}

function nextCommand(
  status: ExitStatus,
  patch: PatchRecord | null,
  apply: string | null,
): string | null {
  if (patch !== null && patch.bytes > 0 && patch.applies) return apply;
  const outside = ["model_unavailable", "environment_lost", "image_missing"];
  return outside.includes(status) ? "pmcoder doctor" : null;
}
