import type { EpisodeView } from "./episode-view.ts";
import type { StepLayout } from "./step-html.ts";

/** How much of each text and of each recall a page holds, from all to little (our choice). */
const sizes: readonly Pick<StepLayout, "cap" | "reasons">[] = [
  { cap: 20_000, reasons: 24 },
  { cap: 6_000, reasons: 24 },
  { cap: 3_000, reasons: 12 },
  { cap: 800, reasons: 8 },
  { cap: 800, reasons: 4 },
  { cap: 300, reasons: 0 },
];

/** Steps from which on a page has to be lean, so that a browser opens it at once (our choice). */
const manySteps = 500;

/** The layout of an episode's own page; `whole`: where its steps stand uncut. */
export function layoutFor({ recording }: EpisodeView, whole: string): StepLayout {
  const isLong = recording.turns.length > manySteps;
  const size = isLong ? { cap: 800, reasons: 8 } : { cap: 20_000, reasons: 24 };
  return { prefix: "", advised: recording.advised, whole, ...size };
}

/** The layout of a step that somebody wants to read to the end. */
export function wholeLayout({ recording }: EpisodeView): StepLayout {
  const cap = Number.POSITIVE_INFINITY;
  return { prefix: "", advised: recording.advised, whole: null, cap, reasons: 24 };
}

/** The fullest page of at most so many bytes, else the leanest that there is. */
export function fitting(
  page: (size: Pick<StepLayout, "cap" | "reasons">) => string,
  limitBytes: number,
): string {
  let made = "";
  for (const size of sizes) {
    made = page(size);
    if (Buffer.byteLength(made) <= limitBytes) return made;
  }
  return made;
}
