import { type Html, html } from "../domain/html.ts";
import { count, plural } from "../domain/quantities.ts";
import { dollars, duration, moment } from "./amounts.ts";
import type { EpisodeView } from "./episode-view.ts";
import { cutText } from "./folding.ts";
import type { Moment } from "./moments.ts";
import type { Activity, Recording } from "./recording.ts";

/** What an episode is called: its instance, else the first line of its task. */
export function titleOf({ instanceId, task }: Pick<Recording, "instanceId" | "task">): string {
  if (instanceId !== null) return instanceId;
  const [line = ""] = task.replace(/^[\s#]+/, "").split("\n");
  return line === "" ? "(no title)" : (cutText(line, 90).split("\n… ")[0] ?? line);
}

/** Of a status; some harnesses put a whole error there. */
const statusChars = 32;

/** How a status reads: what went well, what ended early, what still goes on. */
export function statusHtml(status: string | null): Html {
  const text = status ?? "not recorded";
  const isLong = text.length > statusChars;
  const kind = /^submitted$/i.test(text) ? "pass" : text === "running" ? "running" : "other";
  const shown = isLong ? `${text.slice(0, statusChars)}…` : text;
  return html`<span class="status ${kind}"${isLong && html` title="${text}"`}>${shown}</span>`;
}

/** Title, status and what the episode was and took. */
export function headHtml(view: EpisodeView, prefix: string): Html {
  const { recording } = view;
  return html`<header class="head" id="${prefix}head"><h1>${titleOf(recording)} ${statusHtml(recording.status)}</h1>
<dl class="facts">${factsOf(view).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${
    recording.reason && html`<p class="quiet">${recording.reason}</p>`
  }${progressHtml(view)}</header>`;
}

function factsOf({ recording, steps }: EpisodeView): readonly (readonly [string, string])[] {
  const { source, arm, model, cost, tokens, seconds, startedAt, patch } = recording;
  return [
    [source === "run" ? "arm" : "format", arm],
    ...(model === null ? [] : [["model", model] as const]),
    ["steps", String(steps.length)],
    ...(cost === null ? [] : [["cost", dollars(cost)] as const]),
    ...(tokens === null || tokens.input + tokens.output === 0
      ? []
      : [["tokens", tokensText(tokens)] as const]),
    ...(seconds === null ? [] : [["time", duration(seconds)] as const]),
    ...(startedAt === null ? [] : [["started", `${moment(startedAt)} UTC`] as const]),
    ...(patch === null ? [] : [["patch", patchText(patch)] as const]),
  ];
}

function tokensText({ input, cached, output }: NonNullable<Recording["tokens"]>): string {
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  return `${count(input)} in (${share} % cached), ${count(output)} out`;
}

function patchText({ files, applies }: NonNullable<Recording["patch"]>): string {
  if (files.length === 0) return "none";
  const named = files.slice(0, 3).join(", ");
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  return `${named}${more}${applies ? "" : "; does not apply to the base"}`;
}

const activities: Record<Activity["kind"], string> = {
  model: "the model thinks",
  command: "a command runs",
  check: "the reproduction runs",
};

function progressHtml({ recording, steps, known }: EpisodeView): Html {
  const { activity, advised, notices } = recording;
  const parts = [
    ...(activity === null
      ? []
      : [`Live: ${activities[activity.kind]}, since ${moment(activity.since).slice(11)} UTC.`]),
    ...(advised
      ? []
      : ["The model saw nothing of plan and memory: shown is what they would have said."]),
    ...(activity === null && known < steps.length
      ? [`Plan and memory are at step ${known} of ${steps.length} …`]
      : []),
    ...notices,
  ];
  return html`${parts.map((part) => html`<p class="note">${part}</p>`)}`;
}

/** The moments worth finding, each with its step and what was recalled at it. */
export function momentsHtml({ moments, known }: EpisodeView): Html {
  return html`<section class="moments" id="moments" aria-labelledby="moments-title"><h2 id="moments-title">Key moments</h2>${
    moments.length === 0
      ? html`<p class="quiet">${known === 0 ? "Nothing is known yet." : "None."}</p>`
      : html`<ol>${moments.map(momentHtml)}</ol>`
  }</section>`;
}

function momentHtml({ step, kind, title, detail, recalled }: Moment): Html {
  return html`<li class="moment ${kind}"><a href="#step-${step}">step ${step}</a> <span><b>${title}</b>${detail !== "" && html` <span class="detail">${detail}</span>`}${
    recalled.length > 0 &&
    html` <span class="quiet recalled">recalled ${recalled.map(({ turn, label }, at) => html`${at > 0 && ", "}${turn === 0 ? label : html`<a href="#step-${turn}" title="${label}">${baseName(label)}</a> (${turn})`}`)}</span>`
  }</span></li>`;
}

/** The name of a file without its folders; of other labels nothing is taken. */
const baseName = (label: string) => label.replace(/^.*\/(?=[^/\s]+$)/, "");

/** The issue, and the patch as it was submitted. */
export function textsHtml({ recording }: EpisodeView, cap: number): Html {
  const { task, submission } = recording;
  const size = (text: string) => plural(text.trim().split("\n").length, "line");
  return html`<div class="texts"><details><summary>The issue (${size(task)})</summary><pre>${cutText(task.trim(), cap)}</pre></details>${
    submission !== null &&
    submission.trim() !== "" &&
    html`<details><summary>What was submitted (${size(submission)})</summary><pre>${cutText(submission, cap)}</pre></details>`
  }</div>`;
}
