import { shortHash } from "./short-hash.ts";

/** The body of a here-document, as the shell feeds it: every line ends in a newline. */
export interface Heredoc {
  readonly body: string;
  /** The delimiter was quoted: nothing in the body is expanded. */
  readonly quoted: boolean;
}

export interface Lifted {
  /** The command without comments, continued lines and bodies; `<<WORD` became `<` and a mark. */
  readonly text: string;
  /** 1 where a character of `text` stands outside quotes and substitutions. */
  readonly plain: Uint8Array;
  readonly heredocs: readonly Heredoc[];
}

/** Stands before a body's number where the delimiter stood: a private-use character, no shell's. */
const mark = "\uE000";

/** The heredoc that this redirect target stands for, or null. */
export function heredocOf(raw: string, heredocs: readonly Heredoc[]): Heredoc | null {
  return raw.startsWith(mark) ? (heredocs[Number(raw.slice(mark.length))] ?? null) : null;
}

/** A word as it is shown: bodies inside its substitutions are hashed. */
export function hashHeredocs(raw: string, heredocs: readonly Heredoc[]): string {
  return raw.replace(new RegExp(`<${mark}(\\d+)`, "g"), (_, index) => {
    return `<<${shortHash(heredocs[Number(index)]?.body ?? "")}>>`;
  });
}

interface Pending {
  readonly index: number;
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly strip: boolean;
}

/** `"`, `$(`, `${` and `(` nest; all but the last hide operators from the outside. */
type Context = '"' | "$(" | "${" | "(";

/** Means nothing to the shell in any context. */
const ordinary = /[\w \t.,:=@%+/~^?*[\]-]+/y;
const delimiterWord = /[ \t]*((?:'[^']*'|"[^"]*"|\\[\s\S]|[^\s;&|()<>'"\\])*)/y;
const metacharacter = /[\s;&|()<>]/;

/**
 * Takes here-document bodies, comments and line continuations out of a command in one pass, in
 * time linear in its length. Our choice: tree-sitter-bash is quadratic in a body's length (57 s for
 * a megabyte) and reads two here-documents on one line as an error. A missing terminator lets the
 * body run to the end, as bash does.
 */
export function liftHeredocs(command: string): Lifted {
  return new Lifter(command.replaceAll("\0", "\uFFFD").replaceAll(mark, "\uFFFD")).lift();
}

class Lifter {
  readonly #source: string;
  readonly #out: string[] = [];
  readonly #plain: number[] = [];
  readonly #stack: Context[] = [];
  readonly #heredocs: Heredoc[] = [];
  #pending: Pending[] = [];
  #at = 0;
  #hidden = 0;

  constructor(source: string) {
    this.#source = source;
  }

  lift(): Lifted {
    while (this.#at < this.#source.length) this.#step();
    // Pending at the end: the text broke off before the first body line.
    for (const { index, quoted } of this.#pending) this.#heredocs[index] = { body: "", quoted };
    return {
      text: this.#out.join(""),
      plain: Uint8Array.from(this.#plain),
      heredocs: this.#heredocs,
    };
  }

  #emit(text: string, plain: boolean): void {
    this.#out.push(text);
    const flag = plain && this.#hidden === 0 ? 1 : 0;
    for (let i = 0; i < text.length; i++) this.#plain.push(flag);
  }

  /** Copies up to `end` as one stretch and goes on there. */
  #copyTo(end: number, plain: boolean): void {
    this.#emit(this.#source.slice(this.#at, end), plain);
    this.#at = end;
  }

  #push(context: Context, width: number): void {
    const hides = context !== "(";
    this.#copyTo(this.#at + width, !hides);
    this.#stack.push(context);
    if (hides) this.#hidden++;
  }

  #pop(): void {
    this.#copyTo(this.#at + 1, true);
    if (this.#stack.pop() !== "(") this.#hidden--;
  }

  #step(): void {
    const context = this.#stack.at(-1);
    ordinary.lastIndex = this.#at;
    if (ordinary.test(this.#source)) this.#copyTo(ordinary.lastIndex, true);
    else if (this.#shared(context)) return;
    else if (context === '"' || context === "${") this.#inText(context);
    else this.#inCode();
  }

  /** What every context but single quotes knows: escapes, continued lines and `$…`, backquotes. */
  #shared(context: Context | undefined): boolean {
    const source = this.#source;
    const at = this.#at;
    if (source[at] === "\\") {
      if (source[at + 1] === "\n") this.#at += 2;
      else this.#copyTo(Math.min(at + 2, source.length), false);
    } else if (source[at] === "`") {
      this.#copyTo(endOfQuote(source, at + 1, "`", true), false);
    } else if (source.startsWith("$((", at) && arithmeticEnd(source, at + 1) > 0) {
      this.#copyTo(arithmeticEnd(source, at + 1), false);
    } else if (source.startsWith("$(", at)) this.#push("$(", 2);
    else if (source.startsWith("${", at)) this.#push("${", 2);
    else if (source.startsWith("$'", at) && context !== '"') {
      this.#copyTo(endOfQuote(source, at + 2, "'", true), false);
    } else return false;
    return true;
  }

  #inText(context: '"' | "${"): void {
    const character = this.#source[this.#at];
    if (character === (context === '"' ? '"' : "}")) this.#pop();
    else if (context === "${" && character === '"') this.#push('"', 1);
    else this.#copyTo(this.#at + 1, false);
  }

  #inCode(): void {
    const source = this.#source;
    const at = this.#at;
    const character = source[at] ?? "";
    if (character === "'") this.#copyTo(endOfQuote(source, at + 1, "'", false), false);
    else if (character === '"') this.#push('"', 1);
    else if (character === "(") this.#parenthesis();
    else if (character === ")" && this.#stack.length > 0) this.#pop();
    else if (character === "#" && this.#atWordStart()) this.#at = lineEnd(source, at);
    else if (character === "\n") this.#newline();
    else if (source.startsWith("<<<", at)) this.#copyTo(at + 3, true);
    else if (source.startsWith("<<", at)) this.#delimiter();
    else this.#copyTo(at + 1, true);
  }

  #atWordStart(): boolean {
    return this.#at === 0 || metacharacter.test(this.#source[this.#at - 1] ?? "");
  }

  #parenthesis(): void {
    const before = this.#source[this.#at - 1];
    const mayCount = this.#atWordStart() && before !== "(";
    const end = mayCount ? arithmeticEnd(this.#source, this.#at) : 0;
    if (end > 0) this.#copyTo(end, false);
    else if (before !== undefined && "<>=".includes(before)) this.#push("$(", 1);
    else this.#push("(", 1);
  }

  /** `<<WORD`, `<<-WORD`: remembers the delimiter and leaves a redirect to a mark. */
  #delimiter(): void {
    const strip = this.#source[this.#at + 2] === "-";
    const found = readDelimiter(this.#source, this.#at + (strip ? 3 : 2));
    if (!found) {
      this.#copyTo(this.#at + 2, true);
      return;
    }
    const index = this.#heredocs.length;
    this.#heredocs.push({ body: "", quoted: found.quoted });
    this.#pending.push({ index, strip, ...found });
    this.#emit(`<${mark}${index}`, true);
    this.#at = found.end;
  }

  #newline(): void {
    this.#copyTo(this.#at + 1, true);
    for (const { index, delimiter, quoted, strip } of this.#pending) {
      const lines: string[] = [];
      while (this.#at < this.#source.length) {
        const end = lineEnd(this.#source, this.#at);
        const raw = this.#source.slice(this.#at, end);
        const line = strip ? raw.replace(/^\t+/, "") : raw;
        this.#at = Math.min(end + 1, this.#source.length);
        if (line === delimiter) break;
        lines.push(`${line}\n`);
      }
      this.#heredocs[index] = { body: lines.join(""), quoted };
    }
    this.#pending = [];
  }
}

/** The delimiter word after `<<`, blanks before it skipped; null when there is none. */
function readDelimiter(
  source: string,
  from: number,
): { delimiter: string; quoted: boolean; end: number } | null {
  delimiterWord.lastIndex = from;
  const [whole = "", word = ""] = delimiterWord.exec(source) ?? [];
  if (word === "") return null;
  const delimiter = word.replace(/'([^']*)'|"([^"]*)"|\\([\s\S])/g, "$1$2$3");
  return { delimiter, quoted: delimiter !== word, end: from + whole.length };
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

/** The place after the closing quote, or the end of the text. */
function endOfQuote(source: string, from: number, quote: string, escapes: boolean): number {
  let at = from;
  while (at < source.length && source[at] !== quote) at += escapes && source[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, source.length);
}

/** Characters: a bound, so that a long row of brackets costs no square of its length. */
const arithmeticLimit = 200;

/** The place after `((…))` that starts here, or 0 when it is no arithmetic. */
function arithmeticEnd(source: string, from: number): number {
  if (!source.startsWith("((", from)) return 0;
  const limit = Math.min(source.length, from + arithmeticLimit);
  let depth = 0;
  for (let at = from; at < limit; at++) {
    depth += bracketDepth[source[at] ?? ""] ?? 0;
    if (Number.isNaN(depth)) return 0;
    if (depth === 1 && at > from) return source[at + 1] === ")" ? at + 2 : 0;
  }
  return 0;
}

/** A quote or a line's end in it says that it is none. */
const bracketDepth: Readonly<Record<string, number>> = {
  "(": 1,
  ")": -1,
  "\n": Number.NaN,
  "'": Number.NaN,
  '"': Number.NaN,
};
