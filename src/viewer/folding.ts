import { type Html, html } from "../domain/html.ts";
import { plural } from "../domain/quantities.ts";

/** How much of a long text stands open: the rest is one click away. */
export interface Fold {
  readonly lines: number;
  readonly chars: number;
}

/** A text at most `cap` characters long: its head and its tail, and what is missing between them. */
export function cutText(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const head = Math.ceil(cap * 0.6);
  const tail = cap - head;
  const left = text.length - cap;
  return `${text.slice(0, head)}\n… ${left} characters are left out of this page …\n${text.slice(text.length - tail)}`;
}

/** What stands open of a text, and what does not; null: all of it stands open. */
export function fold(
  text: string,
  { lines, chars }: Fold,
): { readonly open: string; readonly rest: string | null; readonly more: string } {
  const all = text.split("\n");
  // A fold that hides less than its own line costs is none.
  const isShort = all.length <= lines + 2 && text.length <= chars * 1.2;
  if (isShort) return { open: text, rest: null, more: "" };
  const head = all.slice(0, lines).join("\n").slice(0, chars);
  const rest = text.slice(head.length).replace(/^\n/, "");
  const hidden = rest.split("\n").length;
  const more =
    hidden > 1 ? `${plural(hidden, "more line")}` : `${plural(rest.length, "more character")}`;
  return { open: head, rest, more };
}

/** Preformatted text, its end folded away where it is long. */
export function foldedPre(kind: string, text: string, size: Fold): Html {
  const { open, rest, more } = fold(text, size);
  const head = html`<pre class="${kind}">${open}</pre>`;
  if (rest === null) return head;
  return html`${head}<details class="fold"><summary>${more}</summary><pre class="${kind}">${rest}</pre></details>`;
}
