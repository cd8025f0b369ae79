import type { CodeText } from "./code-text.ts";

/** A stretch of a program text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Bounds, our choice: definitions of one name, functions and calls looked at, characters of a call. */
const maxDefinitions = 32;
const maxCall = 4000;

/** +1 for an opening bracket, -1 for a closing one. */
export function bracketStep(character: string): number {
  if (character === "(" || character === "[" || character === "{") return 1;
  return character === ")" || character === "]" || character === "}" ? -1 : 0;
}

/** The arguments of the call whose opening bracket stands at `open`, and the place after it. */
export function argumentsAt({ code }: CodeText, open: number): { spans: Span[]; end: number } {
  const spans: Span[] = [];
  const limit = Math.min(code.length, open + maxCall);
  let depth = 0;
  let from = open + 1;
  let at = open;
  for (; at < limit; at++) {
    const character = code[at] ?? "";
    depth += bracketStep(character);
    if (depth > 1 || (depth === 1 && character !== ",")) continue;
    if (code.slice(from, at).trim() !== "") spans.push({ from, to: at });
    from = at + 1;
    if (depth <= 0) return { spans, end: at + 1 };
  }
  // The text broke off inside the call.
  if (code.slice(from, at).trim() !== "") spans.push({ from, to: at });
  return { spans, end: at };
}

/** The n-th positional argument, or the one passed by that name. */
export function argument(
  text: CodeText,
  spans: readonly Span[],
  place: number,
  name: string,
): Span | null {
  for (const { from, to } of spans) {
    const keyword = /^\s*(\w+)\s*=(?!=)/.exec(text.code.slice(from, to));
    if (keyword?.[1] === name) return { from: from + keyword[0].length, to };
  }
  const positional = spans.filter(
    ({ from, to }) => !/^\s*\w+\s*=(?!=)/.test(text.code.slice(from, to)),
  );
  return positional[place] ?? null;
}

export interface Definition {
  /** `element`: of the list at `span`; `temporary`: a file or folder outside. */
  readonly kind: "value" | "element" | "temporary";
  readonly span: Span;
}

const assignment = /(?<![\w.]|[,(]\s{0,40})([A-Za-z_]\w*)\s*(?::\s*[\w.[\]]+\s*)?=(?![=>])/g;
const loop = /\bfor\s+(?:const\s+|let\s+|\()*([A-Za-z_]\w*)\s+(?:in|of)\s+/g;
const temporary = /\btempfile\.\w+\([^()\n]*\)\s+as\s+(\w+)/g;
const parameters = /\b(?:def|function)\s+(\w+)\s*\(([^()]*)\)/g;

/** What each name of a program may stand for: assignments, loops, parameters by their calls. */
export function definitionsOf(text: CodeText): ReadonlyMap<string, readonly Definition[]> {
  const found = new Map<string, Definition[]>();
  const all = [
    ...statements(text, assignment, "value"),
    ...statements(text, loop, "element"),
    ...statements(text, temporary, "temporary"),
    ...passed(text),
  ];
  for (const [name, definition] of all) {
    const known = found.get(name) ?? [];
    if (known.length < maxDefinitions) found.set(name, [...known, definition]);
  }
  return found;
}

type Named = readonly [name: string, definition: Definition];

function statements({ code }: CodeText, pattern: RegExp, kind: Definition["kind"]): Named[] {
  return [...code.matchAll(pattern)].map((match) => {
    const from = match.index + match[0].length;
    return [match[1] ?? "", { kind, span: { from, to: expressionEnd(code, from) } }];
  });
}

/** Parameters, by the arguments of the program's own calls. */
function passed(text: CodeText): Named[] {
  const functions = [...text.code.matchAll(parameters)].slice(0, maxDefinitions);
  return functions.flatMap(([, name = "", list = ""]) => {
    const names = list.split(",").map((item) => /^\s*(\w*)/.exec(item)?.[1] ?? "");
    return callsOf(text, name).flatMap((spans) => argumentsOf(text, names, spans));
  });
}

function argumentsOf(text: CodeText, names: readonly string[], spans: readonly Span[]): Named[] {
  return names.flatMap((name, place): Named[] => {
    const span = name === "" ? null : argument(text, spans, place, name);
    return span ? [[name, { kind: "value", span }]] : [];
  });
}

/** The arguments of each call of a function of the program. */
function callsOf(text: CodeText, name: string): readonly (readonly Span[])[] {
  const calls = [
    ...text.code.matchAll(new RegExp(`(?<!def |function |[\\w.])${name}\\s*\\(`, "g")),
  ];
  return calls
    .slice(0, maxDefinitions)
    .map((call) => argumentsAt(text, call.index + call[0].length - 1).spans);
}

/** To the end of the statement, or of the argument, list or block that holds the expression. */
function expressionEnd(code: string, from: number): number {
  const limit = Math.min(code.length, from + maxCall);
  let depth = 0;
  let at = from;
  for (; at < limit; at++) {
    const character = code[at] ?? "";
    depth += bracketStep(character);
    if (depth < 0 || (depth === 0 && ",;:\n".includes(character))) break;
  }
  return at;
}
