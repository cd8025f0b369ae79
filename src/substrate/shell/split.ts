import { operatorToken, type Token } from "./tokens.ts";

const operators = /\|\||\|&|\||&&|;;&|;;|;&|;|\(|\)|\n|&/y;
const redirects = /(\d{0,2})(&>>|&>|<<<|>>|>\||>&|<&|<>|<|>)/y;
const blanks = /[ \t\r]+/y;

/**
 * The tokens of a command that the grammar refuses or that is too long for it: a split at the
 * operators that stand outside quotes and substitutions, as `plain` marks them. It knows no syntax,
 * so it never fails: what it cannot place stays a word.
 */
export function tokensBySplit(text: string, plain: Uint8Array): readonly Token[] {
  return new Splitter(text, plain).tokens();
}

class Splitter {
  readonly #text: string;
  readonly #plain: Uint8Array;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** A command may start here. */
  #starts = true;

  constructor(text: string, plain: Uint8Array) {
    this.#text = text;
    this.#plain = plain;
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#text.length) {
      if (this.#take(blanks)) continue;
      const redirect = this.#take(redirects);
      if (redirect) this.#redirect(redirect);
      else this.#operatorOrWord();
    }
    return this.#tokens;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = this.#plain[this.#at] === 1 ? pattern.exec(this.#text) : null;
    if (match) this.#at += match[0].length;
    return match;
  }

  #redirect([, digits = "", operator = ""]: RegExpExecArray): void {
    this.#take(blanks);
    const descriptor = digits === "" ? null : Number(digits);
    const raw = this.#word();
    if (raw !== "") this.#tokens.push({ type: "redirect", descriptor, operator, raw });
  }

  #operatorOrWord(): void {
    const operator = operatorToken(this.#take(operators)?.[0] ?? "");
    const token = operator ?? ({ type: "word", raw: this.#word() } as const);
    if (this.#starts && token.type === "word" && token.raw === "[[") this.#skipTest();
    else this.#tokens.push(token);
    this.#starts = token.type !== "word" || (this.#starts && keyword.test(token.raw));
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#endsWord()) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #endsWord(): boolean {
    return this.#plain[this.#at] === 1 && /[\s;&|()<>]/.test(this.#text[this.#at] ?? "");
  }

  /** `[[ a && b ]]` holds operators that are none: everything up to the closing word goes. */
  #skipTest(): void {
    const close = this.#text.indexOf("]]", this.#at);
    if (close !== -1) this.#at = close + 2;
    this.#tokens.push({ type: "word", raw: "[" });
  }
}

const keyword = /^(?:if|elif|while|until|then|else|do|!|\{)$/;
