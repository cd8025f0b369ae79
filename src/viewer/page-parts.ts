import { createHash } from "node:crypto";
import { overviewParts } from "./episode-page.ts";
import type { EpisodeView, StepView } from "./episode-view.ts";
import {
  marksHtml,
  notesHtml,
  partId,
  type StepLayout,
  type StepPart,
  saidHtml,
  stepHtml,
} from "./step-html.ts";

/** An element of a page as it is now: replaced by id, or put at the end of `into`. */
export interface PagePart {
  readonly id: string;
  readonly html: string;
  readonly into?: string;
}

const renderers = { said: saidHtml, marks: marksHtml, notes: notesHtml } as const satisfies Record<
  StepPart,
  (step: StepView, layout: StepLayout) => unknown
>;

/** What one browser has been sent, so that only what has changed is sent again. */
export class SentPage {
  readonly #layout: StepLayout;
  readonly #sent = new Map<string, string>();
  /** By place: what a step's parts were made from, because most steps do not change any more. */
  readonly #steps: StepView[] = [];

  /** `view`: as the browser has it. */
  constructor(view: EpisodeView, layout: StepLayout) {
    this.#layout = layout;
    this.changes(view);
  }

  /** What has changed since the last time. */
  changes(view: EpisodeView): readonly PagePart[] {
    const overview = overviewParts(view, this.#layout)
      .map(({ id, html }) => ({ id, html: html.text }))
      .filter((part) => this.#isNew(part));
    return [...overview, ...view.steps.flatMap((step, at) => this.#stepChanges(step, at))];
  }

  #stepChanges(step: StepView, at: number): readonly PagePart[] {
    const before = this.#steps[at];
    if (before?.turn === step.turn && before.insight === step.insight) return [];
    this.#steps[at] = step;
    const parts = Object.entries(renderers).map(([part, render]) => ({
      id: partId(part as StepPart, step.turn.index, this.#layout),
      html: render(step, this.#layout).text,
    }));
    const changed = parts.filter((part) => this.#isNew(part));
    if (before !== undefined) return changed;
    const { index } = step.turn;
    const html = stepHtml(step, this.#layout).text;
    return [{ id: `${this.#layout.prefix}step-${index}`, html, into: "steps" }];
  }

  #isNew({ id, html }: PagePart): boolean {
    const digest = createHash("sha1").update(html).digest("base64");
    if (this.#sent.get(id) === digest) return false;
    this.#sent.set(id, digest);
    return true;
  }
}
