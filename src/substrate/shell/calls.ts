import { assign, bind, type Scope, startIn } from "./scope.ts";
import { type Command, parseScript } from "./script.ts";
import { expandWord, type Word } from "./words.ts";
import { assignmentCount, nameOf, shells, unwrap } from "./wrappers.ts";

/** A program with its arguments, as far as the text tells. */
export interface PlainCall {
  /** The program's name without its folder, then its arguments; a loop's name stands as its values. */
  readonly words: readonly string[];
  /** The here-document or here-string that is its input, or null. */
  readonly input: string | null;
}

/** Bounds, our choice: shells inside shells, and calls of one command. */
const maxDepth = 4;
const maxCalls = 500;

/**
 * Every program that a command calls, wrappers taken off, those in substitutions and in inner shells
 * included. Which of them really run, only a run can tell. Never throws.
 */
export function callsOf(text: string): readonly PlainCall[] {
  const found: PlainCall[] = [];
  collect(text, found, 0);
  return found;
}

function collect(text: string, found: PlainCall[], depth: number): void {
  if (depth > maxDepth) return;
  let scope = startIn("/");
  for (const instruction of parseScript(text)) {
    if (instruction.type === "bind") scope = bind(scope, instruction.name, instruction.raws);
    if (instruction.type !== "command" || found.length >= maxCalls) continue;
    const { call, inner } = read(instruction, scope);
    if (call === null) scope = assign(scope, instruction.raws);
    else found.push(call);
    for (const script of inner) collect(script, found, depth + 1);
  }
}

interface Reading {
  /** null: it runs no program of its own. */
  readonly call: PlainCall | null;
  /** Shell texts that it runs. */
  readonly inner: readonly string[];
}

function read({ raws, redirects }: Command, { bindings }: Scope): Reading {
  const written = [...raws, ...redirects.map(({ raw }) => raw)];
  const substituted = written.flatMap(substitutionsIn);
  const words = raws.slice(assignmentCount(raws)).map((raw) => expandWord(raw, bindings));
  if (words.length === 0) return { call: null, inner: substituted };
  const program = unwrap(words);
  if (program.text !== null) return { call: null, inner: [...substituted, program.text] };
  const fed = redirects.findLast(({ operator }) => operator === "<<" || operator === "<<<");
  const input = fed ? (fed.heredoc?.body ?? expandWord(fed.raw, bindings).text) : null;
  const name = nameOf(program.words[0]);
  if (shells.has(name) && input !== null) return { call: null, inner: [...substituted, input] };
  const rest = program.words.slice(1).flatMap(textsOf);
  return { call: { words: [name, ...rest], input }, inner: substituted };
}

/** A word's values where they are known, else the word as written. */
function textsOf({ text, values }: Word): readonly string[] {
  return values.length > 0 ? values : [text];
}

/** An escape, a quote, or what opens a substitution. */
const special = /\\[\s\S]|['"`]|[$<>]\(/g;

/** The shell texts in `$(…)`, backquotes and `<(…)` of a word as written. */
function substitutionsIn(raw: string): readonly string[] {
  const found: string[] = [];
  const marks = new RegExp(special);
  let quoted = false;
  for (let mark = marks.exec(raw); mark !== null; mark = marks.exec(raw)) {
    const [text] = mark;
    if (text === '"') quoted = !quoted;
    if (text === "'" && !quoted) marks.lastIndex = endOf(raw, "'", mark.index) + 1;
    if (text !== "`" && !text.endsWith("(")) continue;
    const end = text === "`" ? endOf(raw, "`", mark.index) : closing(raw, mark.index + 1);
    found.push(raw.slice(marks.lastIndex, end));
    marks.lastIndex = end + 1;
  }
  return found;
}

/** The next such character, or the end. */
function endOf(raw: string, character: string, at: number): number {
  const end = raw.indexOf(character, at + 1);
  return end === -1 ? raw.length : end;
}

/** The bracket that closes the one at `from`, or the end. */
function closing(raw: string, from: number): number {
  let depth = 0;
  for (let at = from; at < raw.length; at += 1) {
    if (raw[at] === "(") depth += 1;
    else if (raw[at] === ")" && --depth === 0) return at;
    else if (raw[at] === "\\") at += 1;
    else if (raw[at] === "'") at = endOf(raw, "'", at);
  }
  return raw.length;
}
