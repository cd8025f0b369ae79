/** Markup that is safe to send: its values were escaped when it was made. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, markup is kept, nothing is left out. */
export type Value = string | number | Html | null | undefined | false | readonly Value[];

/**
 * Markup with its values in place. Texts may come from anywhere: what could end an element or an
 * attribute is escaped, and what cannot be seen is made visible, so attributes must be quoted.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + markupOf(values[at - 1]) + part));
}

/** Values after each other. */
export function all(values: readonly Value[]): Html {
  return new Html(values.map(markupOf).join(""));
}

function markupOf(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escaped(value);
  return value instanceof Html ? value.text : value.map(markupOf).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

/** Colours of a terminal, which say nothing here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
const colours = /\u001b\[[\d;:]*m/g;

/** Controls but tab and newline, what changes the direction of text, and halves of characters. */
const invisible = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** What the rules above may touch, asked first because it is quick and the answer is mostly no. */
const suspect =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Text in which every character shows and none acts: no control, no change of direction. */
function visible(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replace(colours, "").replace(invisible, sign);
}

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 || code >= 0xd800 ? "\ufffd" : `<U+${code.toString(16).toUpperCase()}>`;
}
