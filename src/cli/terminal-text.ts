/** Anything that moves a cursor, changes direction, or cannot be seen: controls, formats, halves. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a) return "⏎";
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** A text of any origin as one line in which every character shows and none acts. */
export function visible(text: string): string {
  return text.trim().replaceAll("\r\n", "\n").replaceAll(invisible, sign);
}

/** A word as a user types it into a shell. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

function columnsOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The beginning of a visible line that fits into so many terminal columns, "…" at the cut. */
export function cut(line: string, columns: number): string {
  let used = 0;
  let kept = "";
  let fitting = "";
  for (const character of line) {
    used += columnsOf(character);
    if (used > columns) return columns < 1 ? "" : `${fitting}…`;
    kept += character;
    if (used < columns) fitting = kept;
  }
  return line;
}

/** Columns that a visible line takes on a terminal. */
export function widthOf(line: string): number {
  return [...line].reduce((sum, character) => sum + columnsOf(character), 0);
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m`;
