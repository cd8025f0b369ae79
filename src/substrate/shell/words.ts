/** A shell word after quote removal. */
export interface Word {
  /** Quotes removed, expansions and globs as written. */
  readonly text: string;
  /** The texts that it stands for: several under a loop or braces, none when only a run can tell. */
  readonly values: readonly string[];
}

/** What a name stands for in this command: a literal assignment or the list of a loop. */
export type Bindings = ReadonlyMap<string, readonly string[]>;

/** Alternatives of one word: our choice, so that nested braces stay cheap. */
const maxValues = 32;

/** Characters within which the `]` of a glob is looked for. */
const maxGlob = 256;

export function literalWord(text: string): Word {
  return { text, values: [text] };
}

/** Removes quotes and expands what the text alone tells: bound names and literal braces. */
export function expandWord(raw: string, bindings: Bindings): Word {
  return new Expander(raw, bindings).expand();
}

const ordinary = /[^\\'"`$*?[{]+/y;
const parameter = /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/y;
const special = /\$[\d@*#?$!-]/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

class Expander {
  readonly #raw: string;
  readonly #bindings: Bindings;
  readonly #text: string[] = [];
  #values: readonly string[] = [""];
  #at = 0;

  constructor(raw: string, bindings: Bindings) {
    this.#raw = raw;
    this.#bindings = bindings;
  }

  expand(): Word {
    while (this.#at < this.#raw.length) this.#piece();
    return { text: this.#text.join(""), values: this.#values };
  }

  #append(text: string, options: readonly string[]): void {
    this.#text.push(text);
    const values = this.#values;
    const single = options.length === 1 ? options[0] : undefined;
    if (single !== undefined) this.#values = values.map((value) => value + single);
    else if (values.length * options.length > maxValues) this.#values = [];
    else this.#values = values.flatMap((value) => options.map((option) => value + option));
  }

  #literal(text: string, width: number): void {
    this.#append(text, [text]);
    this.#at += width;
  }

  /** Something that only a run can tell: an expansion of no known name, a glob. */
  #open(end: number): void {
    this.#append(this.#raw.slice(this.#at, end), []);
    this.#at = end;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#raw);
  }

  #piece(): void {
    const plain = this.#match(ordinary)?.[0];
    const at = this.#at;
    const next = this.#raw[at + 1];
    if (plain !== undefined) this.#literal(plain, plain.length);
    else if (this.#raw[at] === "\\") this.#literal(next ?? "\\", 2);
    else if (this.#raw[at] === "'") this.#singleQuoted();
    else if (this.#raw[at] === '"') this.#doubleQuoted(1);
    else if (this.#raw[at] === "{") this.#braces();
    else if (this.#raw[at] === "$" || this.#raw[at] === "`") this.#dollar(next);
    else this.#glob();
  }

  #dollar(next: string | undefined): void {
    if (next === '"') this.#doubleQuoted(2);
    else if (next === "'") this.#ansiQuoted();
    else this.#expansion();
  }

  #glob(): void {
    const isOpen = this.#raw[this.#at] !== "[";
    const closes = isOpen || this.#raw.slice(this.#at, this.#at + maxGlob).includes("]");
    if (closes) this.#open(this.#at + 1);
    else this.#literal("[", 1);
  }

  #singleQuoted(): void {
    const close = this.#raw.indexOf("'", this.#at + 1);
    const end = close === -1 ? this.#raw.length : close;
    const text = this.#raw.slice(this.#at + 1, end);
    this.#literal(text, text.length + 2);
  }

  #doubleQuoted(width: number): void {
    this.#at += width;
    while (this.#at < this.#raw.length && this.#raw[this.#at] !== '"') {
      const plain = this.#match(/[^\\"`$]+/y);
      const next = this.#raw[this.#at + 1] ?? "";
      if (plain) this.#literal(plain[0], plain[0].length);
      else if (this.#raw[this.#at] !== "\\") this.#expansion();
      else if (next !== "" && '$`"\\'.includes(next)) this.#literal(next, 2);
      else this.#literal("\\", 1);
    }
    this.#at++;
  }

  #ansiQuoted(): void {
    const match = this.#match(/\$'((?:[^\\']|\\[\s\S])*)'?/y);
    const body = match?.[1] ?? "";
    const text = body.replace(
      /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
      (_, hex?: string, unicode?: string, octal?: string, other?: string) => {
        if (other !== undefined) return simpleEscapes[other] ?? other;
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        return String.fromCharCode(Number.parseInt(hex ?? unicode ?? "", 16));
      },
    );
    this.#literal(text, match?.[0].length ?? 2);
  }

  /** `$name`, `${…}`, `$(…)`, backquotes: their text is kept, their value if the name is bound. */
  #expansion(): void {
    const named = this.#match(parameter);
    const name = named?.[1] ?? named?.[2];
    if (named && name !== undefined) {
      this.#append(named[0], this.#bindings.get(name) ?? []);
      this.#at += named[0].length;
      return;
    }
    const bracket = this.#raw[this.#at] === "`" ? "`" : this.#raw[this.#at + 1];
    if (this.#raw.startsWith("$(mktemp", this.#at)) this.#temporary();
    else if (bracket === "(" || bracket === "{") this.#open(matching(this.#raw, this.#at + 1));
    else if (bracket === "`") this.#open(closingTick(this.#raw, this.#at + 1));
    else if (this.#match(special)) this.#open(this.#at + 2);
    else this.#literal("$", 1);
  }

  /** `$(mktemp …)`: which place nobody knows, but it is outside of any repository. */
  #temporary(): void {
    const end = matching(this.#raw, this.#at + 1);
    this.#append(this.#raw.slice(this.#at, end), ["/tmp/unnamed"]);
    this.#at = end;
  }

  /** `{a,b}` of plain texts; anything else in braces is left to a run. */
  #braces(): void {
    const [whole = "{", body = null] = this.#match(/\{([^{}\\'"`$*?[\]]*)\}/y) ?? [];
    const isPlaceholder = body === "" || body?.includes("..");
    const options = body?.includes(",") ? body.split(",") : [whole];
    this.#append(whole, isPlaceholder ? [] : options);
    this.#at += whole.length;
  }
}

/** The place after the bracket that closes the one at `from`; quotes and escapes are skipped. */
function matching(raw: string, from: number): number {
  const [open, close] = raw[from] === "(" ? ["(", ")"] : ["{", "}"];
  let depth = 0;
  let at = from;
  while (at < raw.length) {
    const character = raw[at];
    if (character === open) depth++;
    if (character === close && --depth === 0) return at + 1;
    if (character === "\\") at++;
    else if (character === "'") at = Math.max(raw.indexOf("'", at + 1), at);
    at++;
  }
  return raw.length;
}

function closingTick(raw: string, from: number): number {
  const close = raw.indexOf("`", from);
  return close === -1 ? raw.length : close + 1;
}
