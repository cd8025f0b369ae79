/**
 * A path as git gives it, one character a byte (latin1): file names need not be UTF-8, and a
 * string of bytes can be compared, split and kept in a set.
 */
export type RawPath = string;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function bytesOf(raw: RawPath): Uint8Array {
  return Buffer.from(raw, "latin1");
}

/** The records of a list that git wrote with `-z`. */
export function splitRecords(bytes: Uint8Array): RawPath[] {
  return Buffer.from(bytes)
    .toString("latin1")
    .split("\0")
    .filter((record) => record !== "");
}

/** The path for people and records; a name that is not UTF-8 is quoted as git quotes it. */
export function showPath(raw: RawPath): string {
  try {
    return utf8.decode(bytesOf(raw));
  } catch {
    return `"${raw.replaceAll(/[^\x20-\x7e]|["\\]/g, escapeByte)}"`;
  }
}

function escapeByte(byte: string): string {
  if (byte === '"' || byte === "\\") return `\\${byte}`;
  return `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/**
 * The name that a C-quoted string at the start of `text` stands for, and the number of characters
 * it took, quotes included; null if there is none.
 */
export function unquote(text: string): { readonly raw: RawPath; readonly length: number } | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(text);
  if (!quoted) return null;
  const raw = (quoted[1] ?? "").replaceAll(/\\([0-7]{3}|.)/gs, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
  return { raw, length: quoted[0].length };
}
