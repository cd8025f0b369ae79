import { type Html, html } from "../domain/html.ts";

/** A whole page: what stands in its head beside the title, and its body. */
export interface Page {
  readonly title: string;
  readonly head: Html;
  /** What stands in the bar at the top. */
  readonly bar: Html;
  readonly main: Html;
}

const keys = [
  ["j, k", "next step, step before"],
  ["h, l", "episode before, next episode"],
  ["/", "search; Enter goes from hit to hit"],
  ["d", "compare with another episode; on a comparison, to where the two part"],
  ["g, G", "first step, last step"],
  ["?", "this help"],
  ["Esc", "leave search or help"],
] as const;

export function documentHtml({ title, head, bar, main }: Page): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title>${head}</head>
<body><a class="skip" href="#main">Skip to the content</a>
<header class="bar">${bar}<button type="button" id="help-open" aria-haspopup="dialog">Keys <kbd>?</kbd></button></header>
<main id="main" tabindex="-1">${main}</main>
<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2><dl>${keys.map(
    ([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`,
  )}</dl><p><label><input type="checkbox" id="keys-on" checked> single keys are on</label></p><form method="dialog"><button>Close</button></form></dialog>
<p id="said" class="unseen" aria-live="polite"></p></body></html>
`.text;
}

/** What pages of the server stand on; its policy allows nothing inline. */
export const servedHead = html`<link rel="stylesheet" href="/assets/style.css"><script src="/assets/viewer.js" defer></script>`;
