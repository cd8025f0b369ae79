/** The first `length` UTF-16 units, or one fewer where that would cut a character in two. */
export function headOf(text: string, length: number): string {
  const cut = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return text.length <= length ? text : text.slice(0, Math.max(cut, 0));
}

/** The last `length` UTF-16 units, or one fewer where that would cut a character in two. */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** Tokens of a text without asking a tokenizer, so that runs are reproducible: four units each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
