import { type Call, changes, type Effect, type Meaning, meaning, reads, shows } from "./meaning.ts";
import { type Operand, type Options, parseOptions } from "./options.ts";
import { awkSelection, sedSelection } from "./ranges.ts";
import type { Word } from "./words.ts";

const edit = (path: string): Effect => ({ kind: "edit", path });
const write = (path: string): Effect => ({ kind: "write", path });

/** Operands after the script, which stands first unless an option gave it. */
function afterScript({ flags, operands }: Options, ...given: string[]): readonly Operand[] {
  return given.some((name) => flags.has(name)) ? operands : operands.slice(1);
}

function scriptsOf({ flags, operands }: Options, option: string): readonly Word[] {
  const given = flags.get(option) ?? [];
  const first = operands[0]?.word;
  return given.length > 0 || !first ? given : [first];
}

/** The edits of these files, each with the backup that `-i.bak` leaves. */
function inPlace(call: Call, operands: readonly Operand[], suffix: string): Meaning {
  return changes(call, operands, (path) =>
    suffix === "" ? edit(path) : [edit(path), write(`${path}${suffix}`)],
  );
}

/** GNU sed, and the empty suffix argument that BSD's wants. */
export function sed(call: Call): Meaning {
  const [first, ...rest] = call.words;
  const words = rest.filter((word, i) => word.text !== "" || rest[i - 1]?.text !== "-i");
  const options = parseOptions(first ? [first, ...words] : words, "e f l i? in-place?");
  const places = new Map(call.words.map((word, index) => [word, index]));
  const operands = afterScript(options, "e", "f", "expression", "file").map(({ word }) => ({
    word,
    index: places.get(word) ?? -1,
  }));
  const suffix = (options.flags.get("i") ?? options.flags.get("in-place"))?.at(-1)?.text;
  if (options.flags.has("i") || options.flags.has("in-place")) {
    return inPlace(call, operands, suffix ?? "");
  }
  const isSilent = ["n", "quiet", "silent"].some((name) => options.flags.has(name));
  const script = scriptsOf(options, "e").map((word) => word.text);
  const selection = isSilent ? sedSelection(script.join("\n")) : null;
  return shows(call, operands, selection);
}

export function perl(call: Call): Meaning {
  const options = parseOptions(call.words, "e E i? I M? m? F? l? 0? C?");
  if (!options.flags.has("i")) return meaning("execute");
  const operands = afterScript(options, "e", "E");
  return inPlace(call, operands, options.flags.get("i")?.at(-1)?.text ?? "");
}

export function awk(call: Call): Meaning {
  const options = parseOptions(call.words, "F v f i file assign include");
  const operands = afterScript(options, "f", "file");
  const includes = [...(options.flags.get("i") ?? []), ...(options.flags.get("include") ?? [])];
  if (includes.some((word) => word.text === "inplace")) return inPlace(call, operands, "");
  return shows(call, operands, awkSelection(options.operands[0]?.word.text ?? ""));
}

/** Line editors and vim in batch mode: their commands come from standard input or `-c`. */
export function lineEditor(call: Call): Meaning {
  return changes(call, parseOptions(call.words, "c S u").operands, edit);
}

/** Each head with what makes it write: no option needed (""), or one of these. */
const formatterWrites: Readonly<Record<string, readonly string[]>> = {
  black: [],
  isort: [],
  autopep8: ["i", "in-place"],
  yapf: ["i", "in-place"],
  "2to3": ["w", "write"],
  autoflake: ["i", "in-place"],
  pyupgrade: [],
  prettier: ["w", "write"],
};

export function formatter(call: Call): Meaning {
  const { flags, operands } = parseOptions(
    call.words,
    "l t c s k line-length config target-version",
  );
  const isDry = ["check", "diff", "check-only"].some((name) => flags.has(name));
  const needed = formatterWrites[call.head] ?? [];
  const writes = needed.length === 0 || needed.some((name) => flags.has(name));
  return isDry || !writes ? reads(call, "review", operands) : changes(call, operands, edit);
}

/** `ruff format`, `ruff check --fix`. */
export function ruff(call: Call): Meaning {
  const { flags, operands } = parseOptions(call.words, "config select ignore line-length");
  const [verb, ...files] = operands;
  const isDry = flags.has("check") || flags.has("diff");
  const writes = verb?.word.text === "format" ? !isDry : flags.has("fix") && !flags.has("diff");
  return writes ? changes(call, files, edit) : reads(call, "review", files);
}

/** Agents' own editing tools, spelled as commands. */
export function editTool(call: Call): Meaning {
  const [verb, ...files] = parseOptions(call.words, "").operands;
  const target = files.slice(0, 1);
  if (verb?.word.text === "view") return reads(call, "inspect", target);
  if (verb?.word.text === "create") return changes(call, target, write);
  return changes(call, target, edit);
}

/** `tee F…`: files besides the output that it passes on. */
export function tee(call: Call): Meaning {
  const { flags, operands } = parseOptions(call.words, "");
  const appends = flags.has("a") || flags.has("append");
  const files = operands.filter(({ word }) => !word.text.startsWith("/dev/"));
  const sinks = files.map(({ word }) => ({ word, appends }));
  return meaning("neutral", { sinks, paths: files.map(({ index }) => index) });
}
