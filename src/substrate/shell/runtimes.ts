import type { Language } from "./code-text.ts";
import { codeWrites } from "./code-writes.ts";
import { type Call, type Effect, locate, type Meaning, meaning } from "./meaning.ts";
import { resolvePath } from "./paths.ts";
import { isTestRunner, testRun } from "./test-runs.ts";
import type { Word } from "./words.ts";

/** How an interpreter's arguments divide. */
interface Invocation {
  readonly code: string | null;
  readonly module: number | null;
  readonly script: number | null;
  /** The program's own arguments start here. */
  readonly rest: number;
  readonly asksVersion: boolean;
}

interface Flags {
  /** Options whose next word is the program text; a cluster may end in their letter. */
  readonly code: RegExp;
  readonly module?: RegExp;
  readonly takes: RegExp;
}

const pythonFlags: Flags = { code: /^-[A-Za-z]*c$/, module: /^-[A-Za-z]*m$/, takes: /^-[WXQ]$/ };
const nodeFlags: Flags = {
  code: /^(?:-e|-p|-pe|--eval|--print)$/,
  takes: /^(?:-r|--require|--import|--loader|--conditions|-C)$/,
};
const otherFlags: Flags = { code: /^-[A-Za-z]*e$/, takes: /^-[IrM]$/ };

function invocation(words: readonly Word[], flags: Flags): Invocation {
  const none = { code: null, module: null, script: null, rest: words.length, asksVersion: false };
  const at = programPlace(words, flags);
  const text = words[at]?.text;
  if (text === undefined) return none;
  if (flags.code.test(text)) return { ...none, rest: at + 2, code: words[at + 1]?.text ?? "" };
  if (flags.module?.test(text)) return { ...none, rest: at + 2, module: at + 1 };
  if (asks.test(text)) return { ...none, asksVersion: true };
  return { ...none, rest: at + 1, script: text === "-" ? null : at };
}

const asks = /^(?:-V|-VV|--version|-h|--help)$/;

/** Past the interpreter's own options: where its program is named, or how it is given. */
function programPlace(words: readonly Word[], { code, module, takes }: Flags): number {
  let at = 1;
  for (let text = words[at]?.text; text?.startsWith("-") && text !== "-"; text = words[at]?.text) {
    if (code.test(text) || module?.test(text) || asks.test(text)) return at;
    at += takes.test(text) ? 2 : 1;
  }
  return at;
}

/** Modules that are programs of their own in the table of heads. */
const modules = new Set(
  "pytest py.test unittest nose nose2 doctest tox nox pip pydoc black isort autopep8 yapf ruff autoflake json.tool coverage lib2to3".split(
    " ",
  ),
);

export function python(call: Call): Meaning {
  const { code, module, script, rest, asksVersion } = invocation(call.words, pythonFlags);
  if (asksVersion) return meaning("inspect");
  const argv = call.words.slice(rest);
  if (module !== null) return runModule(call, module);
  if (script !== null) return runScript(call, script, argv);
  const text = code ?? call.stdin;
  return text === null ? meaning("execute") : runCode(call, text, "python", argv);
}

function runModule(call: Call, at: number): Meaning {
  const name = call.words[at]?.text ?? "";
  const instead = { words: call.words.slice(at), shift: at };
  if (modules.has(name)) return meaning("execute", { instead });
  if (/^(?:sympy\.testing|django\.test|numpy\.testing)/.test(name)) {
    return testRun({ ...call, words: instead.words });
  }
  return meaning("execute");
}

export function node(call: Call): Meaning {
  const { code, script, rest, asksVersion } = invocation(call.words, nodeFlags);
  if (asksVersion) return meaning("inspect");
  if (call.words.some((word) => word.text === "--test")) return testRun(call);
  const argv = call.words.slice(rest);
  if (script !== null) return runScript(call, script, argv);
  const text = code ?? call.stdin;
  return text === null ? meaning("execute") : runCode(call, text, "javascript", argv);
}

/** Ruby, php and the like: their programs are not read. */
export function otherRuntime(call: Call): Meaning {
  const { script } = invocation(call.words, otherFlags);
  return script === null ? meaning("execute") : runScript(call, script, []);
}

/** `bash script.sh` and `bash <<EOF`: the body is read as if it stood here. */
export function shell(call: Call): Meaning {
  const { script, rest } = invocation(call.words, { code: /^$/, takes: /^[-+]o$/ });
  if (script !== null && call.words[1]?.text !== "-s") {
    return runScript(call, script, call.words.slice(rest));
  }
  return call.stdin === null ? meaning("execute") : meaning("execute", { text: call.stdin });
}

/** A program called by its path. */
export function program(call: Call): Meaning {
  return runScript(call, 0, call.words.slice(1));
}

const setupVerbs = /^(?:build\w*|develop|install|egg_info|sdist|bdist\w*)$/;

function runScript(call: Call, at: number, argv: readonly Word[]): Meaning {
  const word = call.words[at];
  const path = word ? locate(call.place, word).paths[0] : undefined;
  const verb = argv[0]?.text ?? "";
  const paths = [at];
  if (word && isTestRunner(word.text, verb)) {
    const run = testRun({ ...call, words: call.words.slice(at) });
    return { ...run, paths: [at, ...run.paths.map((index) => index + at)] };
  }
  if (path === undefined) return meaning("execute", { paths });
  if (/(?:^|\/)setup\.py$/.test(path) && setupVerbs.test(verb)) return meaning("setup", { paths });
  const read: Effect = { kind: "read", path, lines: [] };
  const isThere = call.place.ledger.exists(path) || !call.place.ledger.hasListing;
  const reads = isThere ? [read] : [];
  const run = runBody(call, path, argv);
  return { ...run, effects: [...reads, ...run.effects], paths, script: path };
}

/**
 * What a script does whose body the episode wrote. Our choice: one that only touches scratch files
 * stays a run, because reproductions write such files all the time.
 */
function runBody(call: Call, path: string, argv: readonly Word[]): Meaning {
  const { ledger } = call.place;
  const body = ledger.body(path);
  if (body === null) return meaning("execute");
  const language = languageOf(path, body);
  if (language === "shell") return meaning("execute", { text: body });
  if (language === null) return meaning("execute");
  const run = runCode(call, body, language, argv);
  for (const { kind, path: edited } of run.effects) if (kind === "edit") ledger.seen(edited);
  const isSource = run.effects.some(
    (effect) => effect.kind !== "read" && !ledger.isScratch(effect.path),
  );
  return isSource || run.unresolved ? run : { ...run, class: "execute" };
}

function languageOf(path: string, body: string): Language | "shell" | null {
  if (/\.py$/.test(path) || /^#!.*\bpython/.test(body)) return "python";
  if (/\.[cm]?[jt]sx?$/.test(path) || /^#!.*\bnode\b/.test(body)) return "javascript";
  return /\.(?:ba|z)?sh$/.test(path) || /^#!.*\b(?:ba|z|da)?sh\b/.test(body) ? "shell" : null;
}

function runCode(call: Call, code: string, language: Language, argv: readonly Word[]): Meaning {
  const { root, cwd } = call.place;
  const found = codeWrites(
    code,
    language,
    argv.map((word) => word.values[0] ?? ""),
  );
  const effects = found.writes.flatMap(({ kind, path }): Effect[] => {
    const resolved = resolvePath(root, cwd, path);
    return resolved === null ? [] : [{ kind, path: resolved }];
  });
  const unresolved = found.unresolved || effects.length < found.writes.length;
  const writes = found.unresolved || found.writes.some((item) => !item.product);
  return meaning(writes ? "edit" : "execute", { effects, unresolved });
}
