import { tokensByGrammar } from "./grammar.ts";
import { type Heredoc, hashHeredocs, heredocOf, liftHeredocs } from "./heredocs.ts";
import { tokensBySplit } from "./split.ts";
import type { Connector, Token } from "./tokens.ts";

export interface Redirect {
  readonly descriptor: number | null;
  readonly operator: string;
  /** The target as written; for a here-document empty. */
  readonly raw: string;
  readonly heredoc: Heredoc | null;
}

/** One simple command as written. */
export interface Command {
  readonly type: "command";
  /** Words as written, quotes and all, leading assignments included. */
  readonly raws: readonly string[];
  readonly redirects: readonly Redirect[];
  /** How it is joined to the command before it. */
  readonly connector: Connector;
  /** Its status does not decide that of the whole: a condition, a loop's body, or negated. */
  readonly conditional: boolean;
}

/** A script in the order it stands: groups flattened, subshells marked, loop lists bound. */
export type Instruction =
  | Command
  | { readonly type: "enter" }
  | { readonly type: "leave" }
  | { readonly type: "bind"; readonly name: string; readonly raws: readonly string[] };

/**
 * Characters without here-document bodies. Above it the split alone reads a command, because the
 * grammar's worst case grows with the square. Our choice: three times the longest of 5,581 real ones.
 */
const grammarLimit = 8192;

/** Reads a command text. Never throws; time is linear in the length of the text. */
export function parseScript(text: string): readonly Instruction[] {
  const { text: line, plain, heredocs } = liftHeredocs(text);
  const isShort = line.length <= grammarLimit;
  const tokens = (isShort ? tokensByGrammar(line, plain) : null) ?? tokensBySplit(line, plain);
  return new Reader(heredocs).read(tokens);
}

/** Tokens within which the keyword that ends a loop's head is looked for. */
const headLimit = 64;

/** Keywords after which a command starts, and whether what follows is only run on a condition. */
const openers: Readonly<Record<string, number>> = {
  if: 1,
  while: 1,
  until: 1,
  case: 1,
  fi: -1,
  done: -1,
  esac: -1,
  // biome-ignore lint/suspicious/noThenProperty: a shell keyword, no promise.
  then: 0,
  elif: 0,
  else: 0,
  do: 0,
  "{": 0,
  "}": 0,
  "!": 0,
};

interface Draft {
  raws: string[];
  redirects: Redirect[];
  connector: Connector;
  conditional: boolean;
}

class Reader {
  readonly #heredocs: readonly Heredoc[];
  readonly #out: Instruction[] = [];
  #draft: Draft = { raws: [], redirects: [], connector: ";", conditional: false };
  /** The newest finished command: a redirect after a closed group is its. */
  #last: { redirects: Redirect[] } | null = null;
  #connector: Connector = ";";
  #depth = 0;
  #conditions = 0;
  #negated = false;
  #closed = false;

  constructor(heredocs: readonly Heredoc[]) {
    this.#heredocs = heredocs;
  }

  read(tokens: readonly Token[]): readonly Instruction[] {
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at];
      if (token?.type === "operator") this.#operator(token.operator);
      else if (token?.type === "redirect") this.#redirect(token);
      else if (token && !this.#closed) {
        at = this.#word(tokens, at, hashHeredocs(token.raw, this.#heredocs));
      }
    }
    this.#finish();
    return this.#out;
  }

  #operator(operator: Connector | "(" | ")"): void {
    const isFunction = operator === "(" && this.#draft.raws.length > 0;
    const isPattern = operator === ")" && this.#depth === 0;
    if (isFunction || isPattern) this.#draft.raws = [];
    this.#finish();
    this.#closed = operator === ")" && !isPattern;
    if (operator === "(") this.#enter();
    else if (this.#closed) this.#leave();
    else if (operator !== ")") this.#connector = operator;
    if (operator !== "|") this.#negated = false;
  }

  #enter(): void {
    this.#out.push({ type: "enter" });
    this.#depth++;
  }

  #leave(): void {
    this.#out.push({ type: "leave" });
    this.#depth--;
  }

  #redirect({ descriptor, operator, raw }: Token & { type: "redirect" }): void {
    const heredoc = operator === "<" ? heredocOf(raw, this.#heredocs) : null;
    const redirect = heredoc
      ? { descriptor, operator: "<<", raw: "", heredoc }
      : { descriptor, operator, raw, heredoc };
    const onGroup = this.#closed && this.#last !== null;
    (onGroup && this.#last ? this.#last : this.#draft).redirects.push(redirect);
  }

  /** A word at the start of a command may be a keyword; returns the place of the last word used. */
  #word(tokens: readonly Token[], at: number, raw: string): number {
    if (this.#draft.raws.length > 0) this.#draft.raws.push(raw);
    else if (raw === "for" || raw === "select") return this.#loop(tokens, at);
    else if (raw === "case") return this.#skipTo(tokens, at, "in");
    else if (raw === "function") return at + 1;
    else if (Object.hasOwn(openers, raw)) this.#keyword(raw);
    else this.#draft.raws.push(raw);
    return at;
  }

  #keyword(raw: string): void {
    this.#conditions = Math.max(0, this.#conditions + (openers[raw] ?? 0));
    if (raw === "!") this.#negated = true;
    this.#closed = raw === "}" || raw === "done" || raw === "fi" || raw === "esac";
  }

  #loop(tokens: readonly Token[], at: number): number {
    const end = this.#skipTo(tokens, at, "do");
    const words = tokens.slice(at + 1, end).flatMap((t) => (t.type === "word" ? [t.raw] : []));
    const [name = "", keyword, ...raws] = words;
    if (keyword === "in") this.#out.push({ type: "bind", name, raws });
    this.#finish();
    return end;
  }

  /** To the keyword that ends a head; without one the head is this word alone. */
  #skipTo(tokens: readonly Token[], at: number, keyword: string): number {
    const ahead = tokens.slice(at + 1, at + 1 + headLimit);
    const end = ahead.findIndex((token) => token.type === "word" && token.raw === keyword);
    this.#conditions++;
    return end === -1 ? at : at + 1 + end;
  }

  #finish(): void {
    const { raws, redirects } = this.#draft;
    if (raws.length > 0 || redirects.length > 0) {
      const conditional = this.#conditions > 0 || this.#negated;
      this.#out.push({ type: "command", raws, redirects, connector: this.#connector, conditional });
      this.#last = { redirects };
      this.#connector = ";";
    }
    this.#draft = { raws: [], redirects: [], connector: ";", conditional: false };
  }
}
