import { type Html, html } from "../domain/html.ts";
import { dollars, duration } from "./amounts.ts";
import type { StepView } from "./episode-view.ts";
import { experienceHtml } from "./experience-html.ts";
import { cutText, foldedPre } from "./folding.ts";
import type { Insight } from "./insight.ts";
import { recallHtml } from "./recall-html.ts";
import type { Outcome, RecordedCall, RecordedTurn } from "./recording.ts";

/** What differs between pages that show steps. */
export interface StepLayout {
  /** Stands before ids, so that two episodes fit on one page. */
  readonly prefix: string;
  /** Characters of one text; what is longer is cut, with a note. */
  readonly cap: number;
  /** Plan and memory were at work, so that a block was really shown. */
  readonly advised: boolean;
  /** Address below which a step stands uncut, by its number; null: nowhere. */
  readonly whole: string | null;
  /** Recalled nodes of which is said why. */
  readonly reasons: number;
}

/** What of a step changes apart from the rest, while an episode runs or is being looked into. */
export type StepPart = "said" | "marks" | "notes";

export function partId(part: StepPart, step: number, { prefix }: StepLayout): string {
  return `${prefix}${part}-${step}`;
}

/** A step: its number, what it is, what was said and run, what plan and memory made of it. */
export function stepHtml(step: StepView, layout: StepLayout): Html {
  const { prefix } = layout;
  const { index } = step.turn;
  return html`<article class="step${prefix === "" && " stop"}" id="${prefix}step-${index}" data-step="${index}" tabindex="-1" aria-label="Step ${index}">
<header><h3><a href="#${prefix}step-${index}">${index}</a></h3>${marksHtml(step, layout)}</header>
${saidHtml(step, layout)}
${notesHtml(step, layout)}
</article>`;
}

/** One line that says what the step is; its data says where the episode stands. */
export function marksHtml({ turn, insight }: StepView, layout: StepLayout): Html {
  const id = partId("marks", turn.index, layout);
  const spent = spentText(turn);
  const meta = spent !== "" && html`<span class="meta">${spent}</span>`;
  const stage = turn.stage !== null && html`<span class="kind">${turn.stage}</span>`;
  if (insight === null) return html`<p class="marks" id="${id}">${stage}${meta}</p>`;
  const { phase, kind, stuck, hint, proven, active, counts } = insight;
  const data = html` data-phase="${phase ?? ""}" data-proven="${proven ? "1" : ""}" data-active="${active ?? ""}" data-counts="${Object.entries(
    counts,
  )
    .map(([signal, n]) => `${signal}:${n}`)
    .join(" ")}"`;
  return html`<p class="marks" id="${id}"${data}>${phase && html`<span class="phase ${phase}">${phase}</span>`}
${stage || html`<span class="kind">${turn.refusal === null ? kind : "rejected"}</span>`}${stuck && chip("stuck", stuck.suppressed === null ? "turns back" : "stuck")}${hint !== null && chip("stuck", "loop")}${verdictChips(turn)}${meta}</p>`;
}

/** What the model call took; a recorded reply takes nothing. */
function spentText({ modelSeconds, cost }: RecordedTurn): string {
  const seconds = modelSeconds ? [`model ${duration(modelSeconds)}`] : [];
  return [...seconds, ...(cost ? [dollars(cost)] : [])].join(" · ");
}

function chip(kind: string, text: string): Html {
  return html`<span class="chip ${kind}">${text}</span>`;
}

function verdictChips({ calls }: RecordedTurn): readonly Html[] {
  return calls.flatMap(({ verdict, integrity }) => [
    ...(verdict && verdict.verdict !== "undefined"
      ? [chip(verdict.verdict, `reproduction ${verdict.verdict === "pass" ? "passes" : "fails"}`)]
      : []),
    ...(integrity && integrity.corrupt.length > 0 ? [chip("fail", "does not parse")] : []),
  ]);
}

const thoughtFold = { lines: 8, chars: 900 };
const commandFold = { lines: 12, chars: 1200 };
const outputFold = { lines: 8, chars: 1200 };

/** What the model said and ran, and what came of it. */
export function saidHtml({ turn }: StepView, layout: StepLayout): Html {
  const { thought, calls, refusal, retries } = turn;
  const { cap } = layout;
  return html`<div class="said" id="${partId("said", turn.index, layout)}">${retries.map(
    (retry) => html`<p class="note">${retry}</p>`,
  )}${thought.trim() !== "" && foldedPre("thought", cutText(thought.trim(), cap), thoughtFold)}${calls.map(
    (call) => callHtml(call, turn, cap),
  )}${wholeLink(turn, layout)}${refusal !== null && html`<p class="note refused">${cutText(refusal, 600)}</p>`}</div>`;
}

/** Where a step whose texts are cut can be read to the end. */
function wholeLink(
  { index, thought, calls }: RecordedTurn,
  { whole, cap }: StepLayout,
): Html | null {
  const texts = [
    thought,
    ...calls.flatMap(({ command, outcome }) => [command, outcome?.output ?? ""]),
  ];
  if (whole === null || texts.every(({ length }) => length <= cap)) return null;
  return html`<p class="quiet"><a href="${whole}${index}">Step ${index} uncut</a></p>`;
}

function callHtml({ command, outcome }: RecordedCall, turn: RecordedTurn, cap: number): Html {
  const ran = foldedPre("command", cutText(command, cap), commandFold);
  if (outcome === null) {
    const wait = turn.complete ? "it never ran" : "it runs";
    return html`<div class="call">${ran}${turn.refusal === null && html`<p class="outcome">${wait}</p>`}</div>`;
  }
  const output = outcome.output.replace(/\n$/, "");
  const shown = output === "" ? null : foldedPre("output", cutText(output, cap), outputFold);
  return html`<div class="call">${ran}${outcomeHtml(outcome, output === "")}${shown}</div>`;
}

function outcomeHtml(outcome: Outcome, isSilent: boolean): Html {
  const { exitCode, timedOut, interrupted, seconds, leftOutBytes } = outcome;
  const ended = interrupted ? "interrupted" : timedOut ? "time limit" : null;
  const code = exitCode === null ? "exit status not recorded" : `exit ${exitCode}`;
  const kind = ended !== null || (exitCode ?? 0) !== 0 ? "failed" : "well";
  const rest = [
    seconds === null ? [] : [duration(seconds)],
    isSilent ? ["no output"] : [],
    leftOutBytes === 0 ? [] : [`${leftOutBytes} bytes not recorded`],
  ].flat();
  return html`<p class="outcome"><span class="${kind}">${ended ?? code}</span>${rest.map((text) => ` · ${text}`)}</p>`;
}

/** What the step did to the plan, what was appended to its result, and what memories recalled. */
export function notesHtml({ turn, insight }: StepView, layout: StepLayout): Html {
  const id = partId("notes", turn.index, layout);
  const learned = turn.experience && experienceHtml(turn.experience, layout.cap);
  if (insight === null) return html`<div class="notes" id="${id}">${learned}</div>`;
  const block = turn.advice === null ? insight.block : turn.advice.block;
  const title = layout.advised ? "Shown to the model" : "Would have been shown to the model";
  const notes = notesOf(turn, insight);
  return html`<div class="notes" id="${id}">${notes.length > 0 && html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}${
    block !== null &&
    html`<details class="block" open><summary>${title}</summary><pre>${cutText(block, layout.cap)}</pre></details>`
  }${insight.recall !== null && recallHtml(insight.recall, layout)}${learned}</div>`;
}

function notesOf({ calls }: RecordedTurn, { log, stuck, hint }: Insight): readonly string[] {
  const changes = log.flatMap((event) => {
    if (event.type === "phase") return [`phase: ${event.from} → ${event.to}`];
    return event.type === "subtask"
      ? [`sub-task ${event.id} ${event.change}: ${event.reason}`]
      : [];
  });
  const held = stuck?.suppressed
    ? `; held back by the ${stuck.suppressed}`
    : `, ${stuck?.template}`;
  return [
    ...changes,
    ...(stuck ? [`stuck: ${stuck.reason}${held}`] : []),
    ...(hint === null ? [] : [`loop: ${hint}`]),
    ...calls.flatMap(({ integrity, verdict }) => [
      ...(integrity?.corrupt.map(({ file, line, message }) => {
        const place = line === null ? file : `${file}:${line}`;
        return `${place} does not parse: ${message}`;
      }) ?? []),
      ...(verdict ? [verdictText(verdict)] : []),
    ]),
  ];
}

function verdictText({ verdict, cached, seconds }: NonNullable<RecordedCall["verdict"]>): string {
  const how = cached ? "known from this tree" : `ran ${duration(seconds)}`;
  const said = { pass: "passes", fail: "fails", undefined: "gives no answer" };
  return `reproduction ${said[verdict]} (${how})`;
}
