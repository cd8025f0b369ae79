/** Nesting beyond which a text is no answer but a trap. */
const maxDepth = 50;

/** Where a tolerant reading stands. */
interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Reads JSON as models break it: comments, single quotes, keys without quotes, commas too many or
 * too few, raw line breaks and bare quotes within strings, Python's literals, an end that is
 * missing. Begins at the first character and ignores what follows the value. undefined: no object
 * or list begins there, or it is nested beyond reason. Never throws.
 */
export function repairJson(text: string): unknown {
  const cursor: Cursor = { text, at: 0 };
  skip(cursor);
  const first = text[cursor.at];
  return first === "{" || first === "[" ? readValue(cursor, 0) : undefined;
}

const ignored = /(?:\s|\/\/[^\n]*|#[^\n]*)+/y;
const separators = /(?:\s|,|;|\/\/[^\n]*|#[^\n]*)+/y;

function skip(cursor: Cursor, what: RegExp = ignored): void {
  what.lastIndex = cursor.at;
  const match = what.exec(cursor.text);
  if (match) cursor.at += match[0].length;
}

function readValue(cursor: Cursor, depth: number): unknown {
  skip(cursor);
  const char = cursor.text[cursor.at];
  if (depth > maxDepth) {
    cursor.at = cursor.text.length;
    return undefined;
  }
  if (char === "{") return readObject(cursor, depth);
  if (char === "[") return readList(cursor, depth);
  if (char === '"' || char === "'") return readString(cursor, char);
  return readBare(cursor);
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  cursor.at += 1;
  for (;;) {
    skip(cursor, separators);
    const char = cursor.text[cursor.at];
    if (char === undefined) break;
    if (char === "}" || char === "]") {
      cursor.at += 1;
      break;
    }
    const key = readKey(cursor);
    skip(cursor);
    if (cursor.text[cursor.at] === ":" || cursor.text[cursor.at] === "=") cursor.at += 1;
    if (key !== null) entries.push([key, readValue(cursor, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

const bareKey = /[^\s:=,{}[\]"']+/y;

/** null: nothing that could be a key stands here, and one character of it is passed over. */
function readKey(cursor: Cursor): string | null {
  const char = cursor.text[cursor.at];
  if (char === '"' || char === "'") return readString(cursor, char);
  bareKey.lastIndex = cursor.at;
  const match = bareKey.exec(cursor.text);
  cursor.at += match?.[0].length ?? 1;
  return match?.[0] ?? null;
}

function readList(cursor: Cursor, depth: number): unknown[] {
  const items: unknown[] = [];
  cursor.at += 1;
  for (;;) {
    skip(cursor, separators);
    const char = cursor.text[cursor.at];
    if (char === undefined) return items;
    if (char === "]" || char === "}") {
      // A list that was never closed leaves the brace to the object around it.
      if (char === "]") cursor.at += 1;
      return items;
    }
    items.push(readValue(cursor, depth + 1));
  }
}

/** What follows a quote that closes its string: the end, what can stand after it, or the next key. */
const closing = /\s*(?:[,:}\]]|$|\s["'][^"'\n]{1,80}["']\s*:)/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function readString(cursor: Cursor, quote: string): string {
  const { text } = cursor;
  let out = "";
  for (cursor.at += 1; cursor.at < text.length; cursor.at++) {
    const char = text.charAt(cursor.at);
    if (char === "\\") {
      out += readEscape(cursor);
    } else if (char === quote && closes(text, cursor.at + 1)) {
      cursor.at += 1;
      return out;
    } else {
      out += char;
    }
  }
  return out;
}

function closes(text: string, at: number): boolean {
  closing.lastIndex = at;
  return closing.test(text);
}

/** Leaves the cursor at the escape's last character. */
function readEscape(cursor: Cursor): string {
  cursor.at += 1;
  const char = cursor.text.charAt(cursor.at);
  const hex = cursor.text.slice(cursor.at + 1, cursor.at + 5);
  if (char === "u" && /^[0-9a-f]{4}$/i.test(hex)) {
    cursor.at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  return escapes[char] ?? char;
}

const bareValue = /[^,\n}\]]+/y;
const literals: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  undefined: null,
};

/** A literal, a number, or words without quotes. */
function readBare(cursor: Cursor): unknown {
  bareValue.lastIndex = cursor.at;
  const word = (bareValue.exec(cursor.text)?.[0] ?? "").trimEnd();
  cursor.at += word.length;
  if (Object.hasOwn(literals, word)) return literals[word];
  return word !== "" && Number.isFinite(Number(word)) ? Number(word) : word;
}
