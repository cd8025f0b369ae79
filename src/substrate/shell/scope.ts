import type { ShellOptions } from "./exit-status.ts";
import { type Call, type Place, within } from "./meaning.ts";
import { type Bindings, expandWord, type Word } from "./words.ts";

/** Where a script stands: its folder, the names bound so far, and what `set` switched on. */
export interface Scope {
  /** Absolute; null: a `cd` went where the text does not tell. */
  readonly cwd: string | null;
  readonly bindings: Bindings;
  readonly options: ShellOptions;
}

/** Values of one loop that are followed, and characters of one: names may double one another. */
const maxLoop = 10;
const maxValue = 4096;

export function startIn(root: string): Scope {
  const options = { exitsOnError: false, pipefail: false };
  return { cwd: root, bindings: new Map([["PWD", [root]]]), options };
}

/** The scope with a name bound to these words, or to nothing known when one is open. */
export function bind(scope: Scope, name: string, raws: readonly string[]): Scope {
  const words = raws.slice(0, maxLoop + 1).map((raw) => expandWord(raw, scope.bindings));
  const isOpen = words.length > maxLoop || words.some((word) => word.values.length === 0);
  const all = isOpen ? [] : words.flatMap((word) => word.values);
  const values = all.some((value) => value.length > maxValue) ? [] : all;
  return { ...scope, bindings: new Map(scope.bindings).set(name, values) };
}

/** The scope after words of the form `NAME=value`; others change nothing. */
export function assign(scope: Scope, raws: readonly string[]): Scope {
  return raws.reduce((before, raw) => {
    const [, name, value = ""] = /^(\w+)=([\s\S]*)$/.exec(raw) ?? [];
    return name === undefined ? before : bind(before, name, [value]);
  }, scope);
}

/** The scope after a call that changes the shell itself. */
export function after(scope: Scope, call: Call, raws: readonly string[]): Scope {
  switch (call.head) {
    case "cd":
    case "pushd":
      return { ...scope, cwd: folderAfter(call.place, call.words) };
    case "export":
    case "declare":
    case "local":
    case "readonly":
    case "typeset":
      return assign(scope, raws);
    case "set":
      return { ...scope, options: optionsAfter(scope.options, call.words) };
    default:
      return scope;
  }
}

/** `cd` alone and `cd -` go where the text does not tell. */
function folderAfter(place: Place, words: readonly Word[]): string | null {
  const target = words.find((word, i) => i > 0 && !word.text.startsWith("-"));
  return target ? within(place, target).cwd : null;
}

function optionsAfter(options: ShellOptions, words: readonly Word[]): ShellOptions {
  const text = words.map((word) => word.text).join(" ");
  return {
    exitsOnError: options.exitsOnError || / -\w*e/.test(text),
    pipefail: options.pipefail || text.includes("pipefail"),
  };
}
