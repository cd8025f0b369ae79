import { createHash } from "node:crypto";
import { documentHtml, type Page } from "./document.ts";
import { Html, html } from "./html.ts";

/** Style and script of the pages, which travel with the package. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

/**
 * A page as one file that needs no network. Its policy runs this script and this style alone, by
 * their hashes, and loads nothing.
 */
export function exportedPage(page: Omit<Page, "head">, { style, script }: Assets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = html`<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}"><meta name="referrer" content="no-referrer"><style>${new Html(style)}</style><script type="module">${new Html(script)}</script>`;
  return documentHtml({ ...page, head });
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
