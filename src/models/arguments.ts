export interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  /** Why the call must not be run: one sentence. Then `input` is `{ unparsed: raw }`. */
  readonly malformed?: string;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** JSON text with the raw control characters inside its strings escaped, all else as it was. */
function withEscapedControls(text: string): string {
  let out = "";
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString && char === "\\") {
      out += char + text.charAt(++at);
      continue;
    }
    if (char === '"') inString = !inString;
    const control = inString && char < " ";
    out += control
      ? (escapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
      : char;
  }
  return out;
}

function parse(text: string): { readonly value: unknown } | null {
  for (const candidate of [text, withEscapedControls(text)]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // The next candidate, or none.
    }
  }
  return null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The JSON object that a text stands for, or null. Two slips that models make are repaired, since
 * their meaning is certain: raw control characters inside a string, and JSON wrapped in a string.
 */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const outer = parse(text);
  const inner = typeof outer?.value === "string" ? parse(outer.value) : outer;
  return isObject(inner?.value) ? inner.value : null;
}

function problemOf(raw: string): string {
  if (raw.trim() === "") return "The call has no arguments.";
  return parse(raw) === null
    ? "The call's arguments are not valid JSON."
    : "The call's arguments are not a JSON object.";
}

/** The arguments of a tool call as the model wrote them. Never throws, never guesses a value. */
export function readArguments(raw: string): ReadArguments {
  const input = parseObject(raw);
  return input === null ? { input: { unparsed: raw }, malformed: problemOf(raw) } : { input };
}
