/** Marks that open and close what the harness appends. */
const marks = /\[\s*(\/?)\s*(PLANMEM|LTM)\s*\]/gi;
const newline = 0x0a;
const tab = 0x09;

/**
 * Text from outside as it may stand in a block: it cannot open or close one, and holds no control
 * bytes and no halves of characters, which some model servers refuse.
 */
export function neutral(text: string): string {
  return text
    .replace(marks, "($1$2)")
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cc}/gu, (char) => (isLayout(char) ? char : ""))
    .replace(/\p{Cs}/gu, "\uFFFD");
}

/** The same on one line, fit to stand between double quotes. */
export function neutralLine(text: string): string {
  return neutral(text).replace(/\s+/g, " ").replaceAll('"', "'").trim();
}

function isLayout(char: string): boolean {
  const code = char.charCodeAt(0);
  return code === newline || code === tab;
}
