import {
  argumentsAt,
  bracketStep,
  type Definition,
  definitionsOf,
  type Span,
} from "./code-definitions.ts";
import type { CodeText, Literal } from "./code-text.ts";

/** Stands for a path that is outside the repository whatever it is (a temporary folder). */
const outside = "/tmp/unnamed";

/** Bounds, our choice: names looked through, alternatives, expressions of one program. */
const maxDepth = 6;
const maxValues = 32;
const maxSteps = 2000;

/** The texts that a name may stand for in one program, by what the program itself says. */
export class Values {
  readonly #text: CodeText;
  readonly #argv: readonly string[];
  readonly #definitions: ReadonlyMap<string, readonly Definition[]>;
  #budget = maxSteps;

  /** `argv`: the script's arguments, from `sys.argv[1]` on. */
  constructor(text: CodeText, argv: readonly string[]) {
    this.#text = text;
    this.#argv = argv;
    this.#definitions = definitionsOf(text);
  }

  /** The texts that an expression may have; null when the program's text does not tell. */
  of(span: Span, depth = 0): readonly string[] | null {
    const { from, to } = trim(this.#text.code, span);
    const expression = this.#text.code.slice(from, to);
    if (depth > maxDepth || expression === "" || this.#budget-- <= 0) return null;
    const literal = this.#text.literals.get(from);
    if (literal && literal.end >= to) return this.#literal(literal, depth);
    if (isName(expression)) return this.#name(expression, depth);
    return (
      this.#joined(splitTop(expression, from, /[+/]/), depth) ?? this.#call(expression, from, depth)
    );
  }

  #literal({ value, holes, from, to }: Literal, depth: number): readonly string[] | null {
    if (!holes || holes.length === 0) return [value];
    const { source } = this.#text;
    let values: readonly string[] = [""];
    let at = from;
    for (const hole of holes) {
      const name = /^\$?\{\s*([A-Za-z_]\w*)\s*\}$/.exec(source.slice(hole.from, hole.to))?.[1];
      const inside = name === undefined ? null : this.#name(name, depth + 1);
      values = product(values, [source.slice(at, hole.from)], inside);
      at = hole.to;
    }
    return orNull(product(values, [source.slice(at, to)]));
  }

  #name(name: string, depth: number): readonly string[] | null {
    const definitions = this.#definitions.get(name) ?? [];
    const values = definitions.flatMap(
      (definition) => this.#definition(definition, depth + 1) ?? [],
    );
    return orNull([...new Set(values)].slice(0, maxValues));
  }

  #definition({ kind, span }: Definition, depth: number): readonly string[] | null {
    if (kind === "temporary") return [outside];
    if (kind === "value") return this.of(span, depth);
    return this.elements(span, depth);
  }

  /** The texts of a list or tuple, written out or behind a name. */
  elements(span: Span, depth = 0): readonly string[] | null {
    const { from, to } = trim(this.#text.code, span);
    const expression = this.#text.code.slice(from, to);
    if (depth > maxDepth || this.#budget-- <= 0) return null;
    if (/^[[({]/.test(expression)) {
      const { spans } = argumentsAt(this.#text, from);
      return orNull(spans.flatMap((element) => this.of(element, depth + 1) ?? []));
    }
    const lists = isName(expression) ? (this.#definitions.get(expression) ?? []) : [];
    return orNull(lists.flatMap((list) => this.elements(list.span, depth + 1) ?? []));
  }

  /** `a + b` and `Path(a) / b`. */
  #joined(
    parts: readonly (Span & { readonly operator: string })[],
    depth: number,
  ): readonly string[] | null {
    if (parts.length < 2) return null;
    let values: readonly string[] = [""];
    for (const { operator, ...part } of parts) {
      values = product(values, [operator === "/" ? "/" : ""], this.of(part, depth + 1));
    }
    return orNull(values);
  }

  #call(expression: string, from: number, depth: number): readonly string[] | null {
    const argv = /^(?:sys|process)\.argv\[(\d+)\]$/.exec(expression);
    if (argv) {
      const offset = expression.startsWith("sys") ? 1 : 2;
      const value = this.#argv[Number(argv[1]) - offset];
      return value === undefined ? null : [value];
    }
    if (/^(?:tempfile|os\.tmpdir|tmp_path|tmpdir)\b/.test(expression)) return [outside];
    const call =
      /^(?:pathlib\.)?(Path|str|os\.path\.join|path\.join|os\.fspath|os\.path\.abspath|path\.resolve)\s*\(/.exec(
        expression,
      );
    if (!call) return null;
    const { spans, end } = argumentsAt(this.#text, from + call[0].length - 1);
    if (end < from + expression.length) return null;
    let values: readonly string[] = [];
    for (const [i, span] of spans.entries()) {
      const next = this.of(span, depth + 1);
      values = i === 0 ? (next ?? []) : product(values, ["/"], next);
    }
    return orNull(values);
  }
}

function trim(code: string, { from, to }: Span): Span {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(code[start] ?? "")) start++;
  while (end > start && /\s/.test(code[end - 1] ?? "")) end--;
  return { from: start, to: end };
}

/** The parts between operators that stand outside brackets, each with the operator before it. */
function splitTop(
  expression: string,
  offset: number,
  operators: RegExp,
): readonly (Span & { readonly operator: string })[] {
  const parts: (Span & { operator: string })[] = [];
  let depth = 0;
  let from = 0;
  let operator = "";
  for (let at = 0; at <= expression.length; at++) {
    const character = expression[at] ?? "";
    depth += bracketStep(character);
    if (at < expression.length && (depth > 0 || !operators.test(character))) continue;
    parts.push({ from: offset + from, to: offset + at, operator });
    [from, operator] = [at + 1, character];
  }
  return parts;
}

function isName(expression: string): boolean {
  return /^[A-Za-z_]\w*$/.test(expression);
}

function orNull(values: readonly string[]): readonly string[] | null {
  return values.length > 0 ? values : null;
}

function product(...factors: readonly (readonly string[] | null)[]): readonly string[] {
  return factors.reduce<readonly string[]>(
    (all, factor) => {
      const options = factor ?? [];
      if (all.length * options.length > maxValues) return [];
      return all.flatMap((left) => options.map((right) => left + right));
    },
    [""],
  );
}
