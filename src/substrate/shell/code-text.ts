/** A string literal of a program. */
export interface Literal {
  /** Its content in the source, and the place after the closing quote. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
  /** Its text, escapes decoded; in a template the holes are left as written. */
  readonly value: string;
  /** An f-string or a template literal with holes. */
  readonly holes: readonly { readonly from: number; readonly to: number }[] | null;
}

/** A program text in which only code is left to look at. */
export interface CodeText {
  /** As long as the source; comments are blank, literals are filled with U+0001. */
  readonly code: string;
  readonly source: string;
  /** By the place where they start, prefix included. */
  readonly literals: ReadonlyMap<number, Literal>;
}

export type Language = "python" | "javascript";

const comments: Readonly<Record<Language, RegExp>> = {
  python: /#[^\n]*/y,
  javascript: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y,
};

const openings: Readonly<Record<Language, RegExp>> = {
  python: /(?:(?<!\w)([rbuf]{1,2})(?=["']))?("""|'''|"|')/iy,
  javascript: /()(["'`])/y,
};

const hole: Readonly<Record<Language, RegExp>> = {
  python: /\{\{|\}\}|\{([^{}]*)\}/g,
  javascript: /\$\{([^{}]*)\}/g,
};

const plain = /[^#"'`/rbufRBUF]+/y;

/** Separates literals and comments from code in one pass; broken code gives what can be told. */
export function readCode(source: string, language: Language): CodeText {
  const code: string[] = [];
  const literals = new Map<number, Literal>();
  let at = 0;
  while (at < source.length) {
    const comment = matchAt(comments[language], source, at);
    const opening = comment ? null : matchAt(openings[language], source, at);
    const literal = opening && readLiteral(source, at, opening, language);
    if (literal) literals.set(at, literal);
    const end = literal?.end ?? at + lengthAt(source, at, comment);
    const text = source.slice(at, end);
    code.push(literal ? blank(text, "\x01") : comment ? blank(text, " ") : text);
    at = end;
  }
  return { code: code.join(""), source, literals };
}

function lengthAt(source: string, at: number, comment: RegExpExecArray | null): number {
  return (comment ?? matchAt(plain, source, at))?.[0].length ?? 1;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function blank(text: string, filler: string): string {
  return text.replace(/[^\n]/g, filler);
}

function readLiteral(
  source: string,
  start: number,
  [whole, prefix = "", quote = ""]: RegExpExecArray,
  language: Language,
): Literal {
  const from = start + (whole?.length ?? 1);
  const to = literalEnd(source, from, quote);
  const inside = source.slice(from, to);
  const isTemplate = /f/i.test(prefix) || quote === "`";
  return {
    from,
    to,
    end: source.startsWith(quote, to) ? to + quote.length : to,
    value: /r/i.test(prefix) ? inside : decode(inside),
    holes: isTemplate ? holesOf(inside, from, language) : null,
  };
}

/** Where the content ends: at the quote, at the end of the text, and for a short one of its line. */
function literalEnd(source: string, from: number, quote: string): number {
  const isLong = quote.length === 3 || quote === "`";
  let to = from;
  while (to < source.length && !source.startsWith(quote, to)) {
    if (source[to] === "\n" && !isLong) break;
    to += source[to] === "\\" ? 2 : 1;
  }
  return Math.min(to, source.length);
}

/** Longer texts name no file. */
const maxValue = 4096;

function decode(text: string): string {
  if (text.length > maxValue) return text;
  return text.replace(/\\([\s\S])/g, (_, escaped: string) => {
    if (escaped === "n") return "\n";
    return escaped === "t" ? "\t" : escaped === "\n" ? "" : escaped;
  });
}

function holesOf(inside: string, from: number, language: Language): Literal["holes"] {
  if (inside.length > maxValue) return [];
  return [...inside.matchAll(hole[language])].flatMap((found) =>
    found[1] === undefined
      ? []
      : [{ from: from + found.index, to: from + found.index + found[0].length }],
  );
}
