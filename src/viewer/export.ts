import { createHash } from "node:crypto";
import { Html, html } from "../domain/html.ts";
import { compareMain } from "./compare-page.ts";
import { compare } from "./comparison.ts";
import { documentHtml, type Page } from "./document.ts";
import { episodeMain, searchHtml } from "./episode-page.ts";
import type { EpisodeView } from "./episode-view.ts";
import { fitting } from "./layout.ts";
import { titleOf } from "./overview-html.ts";

/** Style and script of the pages, which travel with the package. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

/** Bytes of a file that can be sent around. */
const limitBytes = 1_900_000;

/** An episode as one file that needs no network; long texts are cut so that it stays small. */
export function exportedEpisode(view: EpisodeView, assets: Assets): string {
  const { recording } = view;
  const layout = { prefix: "", advised: recording.advised, whole: null };
  const page = (size: { readonly cap: number; readonly reasons: number }) =>
    selfContained(titleOf(recording), episodeMain(view, { ...layout, ...size }, null), assets);
  return fitting(page, limitBytes);
}

/** Two episodes beside each other, likewise. */
export function exportedComparison(left: EpisodeView, right: EpisodeView, assets: Assets): string {
  const comparison = compare(left, right);
  const title = `${titleOf(left.recording)}: two runs`;
  return fitting((size) => selfContained(title, compareMain(comparison, size), assets), limitBytes);
}

/** The policy runs this script and takes this style alone, by their hashes, and loads nothing. */
function selfContained(title: string, main: Html, { style, script }: Assets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // The policy holds no text from outside; the script and the style are ours.
  const head = html`<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}"><meta name="referrer" content="no-referrer"><style>${new Html(style)}</style><script type="module">${new Html(script)}</script>`;
  const bar = html`<span class="brand">pmcoder</span>${searchHtml}`;
  const page: Page = { title, head, bar, main };
  return documentHtml(page);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
