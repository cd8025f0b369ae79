import { type Html, html } from "../domain/html.ts";
import { type PolicyPhase, phases } from "../domain/phase.ts";
import type { EpisodeView, StepView } from "./episode-view.ts";

/** Steps from one to another, both included, that share a lane. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A lane of the band: where it stands, how it looks, and the steps in it. */
interface Lane {
  readonly name: string;
  readonly kind: string;
  readonly spans: readonly Span[];
}

const laneHeight = 8;
const gap = 2;

/** Steps for which something holds, those in a row as one. */
function spansOf(steps: readonly StepView[], holds: (step: StepView) => boolean): readonly Span[] {
  const spans: Span[] = [];
  for (const [at, step] of steps.entries()) {
    if (!holds(step)) continue;
    const last = spans.at(-1);
    if (last?.to === at) spans[spans.length - 1] = { from: last.from, to: at + 1 };
    else spans.push({ from: at + 1, to: at + 1 });
  }
  return spans;
}

function lanesOf({ steps }: EpisodeView): readonly Lane[] {
  const inPhase = (phase: PolicyPhase) => spansOf(steps, ({ insight }) => insight?.phase === phase);
  const verdict = (says: string) =>
    spansOf(steps, ({ turn }) => turn.calls.some((call) => call.verdict?.verdict === says));
  const fails = verdict("fail");
  const passes = verdict("pass");
  const lane = (name: string, kind: string, spans: readonly Span[]) => ({ name, kind, spans });
  return [
    ...phases.map((phase) => lane(phase, phase, inPhase(phase))),
    lane(
      "edits source",
      "edit",
      spansOf(steps, ({ insight }) => insight?.sourceEdit === true),
    ),
    lane(
      "tests",
      "test",
      spansOf(steps, ({ insight }) => insight?.kind === "test"),
    ),
    lane(
      "block",
      "block",
      spansOf(steps, ({ turn, insight }) => hasBlock(turn.advice ?? insight)),
    ),
    ...(fails.length + passes.length === 0
      ? []
      : [lane("reproduction fails", "fail", fails), lane("reproduction passes", "pass", passes)]),
  ];
}

const hasBlock = (advice: { readonly block: string | null } | null) =>
  (advice?.block ?? null) !== null;

/**
 * The episode at a glance: a lane for each phase, in rank order, and one for each kind of mark;
 * steps run from left to right. `scale`: steps that the width stands for, which two episodes beside
 * each other share. A click on it leads to the step.
 */
export function bandHtml(view: EpisodeView, prefix: string, scale = view.steps.length): Html {
  const lanes = lanesOf(view);
  const width = Math.max(scale, 1);
  const height = lanes.length * (laneHeight + gap);
  const stuck = spansOf(view.steps, ({ insight }) => (insight?.stuck ?? null) !== null);
  const back = spansOf(view.steps, ({ insight }) => insight?.phase === "backtrack");
  const rect = ({ from, to }: Span, y: number, tall: number, kind: string) =>
    html`<rect class="${kind}" x="${from - 1}" y="${y}" width="${to - from + 1}" height="${tall}"/>`;
  return html`<figure class="band" id="${prefix}band" data-prefix="${prefix}"><div class="lanes" aria-hidden="true">${lanes.map(
    ({ name, kind }) => html`<span class="lane ${kind}">${name}</span>`,
  )}</div>
<svg class="timeline" data-steps="${width}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${bandText(view)}">
${stuck.map((span) => rect(span, 0, height, "stuck"))}${back.map((span) => rect(span, 0, height, "backtrack"))}
${lanes.map(({ spans, kind }, at) => spans.map((span) => rect(span, at * (laneHeight + gap), laneHeight, kind)))}
<rect class="cursor" x="0" y="0" width="1" height="${height}"/></svg></figure>`;
}

function bandText({ steps }: EpisodeView): string {
  const parts = phases.flatMap((phase) => {
    const n = steps.filter(({ insight }) => insight?.phase === phase).length;
    return n === 0 ? [] : [`${phase} ${n}`];
  });
  return `Phases over ${steps.length} steps: ${parts.join(", ") || "not known"}`;
}
