import { stripVTControlCharacters } from "node:util";

const shownAsIs = new Set(["\t", "\n", "\r"]);

/** The visible sign of a control character, so that a NUL is seen and not lost. */
function picture(control: string): string {
  if (shownAsIs.has(control)) return control;
  const code = control.charCodeAt(0);
  if (code === 0x7f) return "\u2421";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}

/**
 * Text that is safe to show to a model and on a terminal: UTF-8 with U+FFFD for invalid bytes,
 * escape sequences dropped, other control characters made visible.
 */
export function legible(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return stripVTControlCharacters(text).replace(/\p{Cc}/gu, picture);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Bytes of the UTF-8 sequence that a lead byte announces. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** A head cut anywhere, without the code point that the cut split. */
export function wholeAtEnd(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start];
  if (lead === undefined || sequenceLength(lead) <= bytes.length - start) return bytes;
  return bytes.subarray(0, start);
}

/** A tail cut anywhere, without the code point that the cut split. */
export function wholeAtStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
