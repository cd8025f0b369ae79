import { literalWord, type Word } from "./words.ts";

/** A word that is no option, with its place in the command. */
export interface Operand {
  readonly word: Word;
  readonly index: number;
}

export interface Options {
  /** Option names without dashes, each with the values it was given (empty: none). */
  readonly flags: ReadonlyMap<string, readonly Word[]>;
  readonly operands: readonly Operand[];
}

/**
 * Separates options from operands, head excluded. `spec` names the options that take a value,
 * separated by spaces: `e` (`-e X`, `-eX`), `include` (`--include X`, `--include=X`); with a final
 * `?` the value is only taken when attached (`-i.bak`).
 */
export function parseOptions(words: readonly Word[], spec: string): Options {
  return new OptionReader(words, spec).read();
}

class OptionReader {
  readonly #words: readonly Word[];
  readonly #takes: ReadonlySet<string>;
  readonly #flags = new Map<string, Word[]>();
  readonly #operands: Operand[] = [];
  #at = 1;

  constructor(words: readonly Word[], spec: string) {
    this.#words = words;
    this.#takes = new Set(spec.split(" "));
  }

  read(): Options {
    const dashes = this.#words.findIndex((word) => word.text === "--");
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at];
      if (!word || this.#at === dashes) continue;
      const isOption = /^-./.test(word.text) && (dashes === -1 || this.#at < dashes);
      if (!isOption) this.#operands.push({ word, index: this.#at });
      else if (word.text.startsWith("--")) this.#long(word.text.slice(2));
      else this.#short(word);
    }
    return { flags: this.#flags, operands: this.#operands };
  }

  #flag(name: string, value: Word | undefined): void {
    const values = this.#flags.get(name) ?? [];
    if (value) values.push(value);
    this.#flags.set(name, values);
  }

  #long(text: string): void {
    const equals = text.indexOf("=");
    if (equals >= 0) this.#flag(text.slice(0, equals), literalWord(text.slice(equals + 1)));
    else this.#flag(text, this.#takes.has(text) ? this.#words[++this.#at] : undefined);
  }

  /** A cluster of letters, the last of which may take the rest or the next word as its value. */
  #short({ text, values }: Word): void {
    const letters = text.slice(1).split("");
    const taking = letters.findIndex(
      (name) => this.#takes.has(name) || this.#takes.has(`${name}?`),
    );
    for (const name of taking === -1 ? letters : letters.slice(0, taking)) {
      this.#flag(name, undefined);
    }
    const name = letters[taking];
    if (name === undefined) return;
    const rest = letters.slice(taking + 1).join("");
    if (rest !== "") this.#flag(name, { text: rest, values: values.length > 0 ? [rest] : [] });
    else this.#flag(name, this.#takes.has(name) ? this.#words[++this.#at] : undefined);
  }
}
