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

/** What one browser has been sent, so that only what has changed is sent again. */
export class SentPage {
  readonly #layout: StepLayout;
  /** By id: digests of the parts of the overview. */
  readonly #overview = new Map<string, string>();
  /** What each step was made from: most steps do not change any more. */
  #steps: readonly StepView[] = [];

  /** `view`: as the browser has it. */
  constructor(view: EpisodeView, layout: StepLayout) {
    this.#layout = layout;
    this.#steps = view.steps;
    this.#overviewChanges(view);
  }

  /** What has changed since the last time. */
  changes(view: EpisodeView): readonly PagePart[] {
    const before = this.#steps;
    this.#steps = view.steps;
    const steps = view.steps.flatMap((step, at) => this.#stepChanges(step, before[at]));
    return [...this.#overviewChanges(view), ...steps];
  }

  #overviewChanges(view: EpisodeView): readonly PagePart[] {
    return overviewParts(view, this.#layout)
      .map(({ id, html }) => ({ id, html: html.text }))
      .filter(({ id, html }) => {
        const digest = createHash("sha1").update(html).digest("base64");
        const isNew = this.#overview.get(id) !== digest;
        this.#overview.set(id, digest);
        return isNew;
      });
  }

  #stepChanges(step: StepView, before: StepView | undefined): readonly PagePart[] {
    const layout = this.#layout;
    const { index } = step.turn;
    if (before === undefined) {
      const id = `${layout.prefix}step-${index}`;
      return [{ id, html: stepHtml(step, layout).text, into: "steps" }];
    }
    const part = (name: StepPart, render: typeof saidHtml) => ({
      id: partId(name, index, layout),
      html: render(step, layout).text,
    });
    const isSaid = before.turn !== step.turn;
    if (!isSaid && before.insight === step.insight) return [];
    return [
      ...(isSaid ? [part("said", saidHtml)] : []),
      part("marks", marksHtml),
      part("notes", notesHtml),
    ];
  }
}
