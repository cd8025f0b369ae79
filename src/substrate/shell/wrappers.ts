import type { Word } from "./words.ts";

/** A program that runs another one: how to find where the other begins. */
interface Wrapper {
  /** Words after the head that must follow (`conda run`). */
  readonly verb?: string;
  /** Options that take the next word. */
  readonly takes?: string;
  /** Operands of its own before the program: how many, and how they look. */
  readonly own?: RegExp;
  /** Only `NAME=value` words and options stand before the program. */
  readonly assigns?: true;
}

const duration = /^\d+(?:\.\d+)?[smhd]?$/;

const wrappers: Readonly<Record<string, readonly Wrapper[]>> = {
  sudo: [{ takes: "-u -g -h -p -C -r -t -U -D", assigns: true }],
  doas: [{ takes: "-u -C" }],
  time: [{ takes: "-f -o" }],
  nice: [{ takes: "-n --adjustment" }],
  nohup: [{}],
  command: [{}],
  exec: [{ takes: "-a" }],
  builtin: [{}],
  setsid: [{}],
  stdbuf: [{ takes: "-i -o -e" }],
  ionice: [{ takes: "-c -n -p" }],
  chronic: [{}],
  unbuffer: [{}],
  "xvfb-run": [{ takes: "-n -s -e -f -l -p -w" }],
  env: [{ takes: "-u -C --unset --chdir", assigns: true }],
  timeout: [{ takes: "-k -s --signal --kill-after", own: duration }],
  xargs: [{ takes: "-n -P -I -L -d -a -E -s --max-args --max-procs --replace --delimiter" }],
  conda: [{ verb: "run", takes: "-n -p --name --prefix --cwd" }],
  mamba: [{ verb: "run", takes: "-n -p --name --prefix --cwd" }],
  micromamba: [{ verb: "run", takes: "-n -p --name --prefix --cwd" }],
  poetry: [{ verb: "run" }],
  uv: [{ verb: "run", takes: "--with -p --python --extra --group --project --directory" }],
  pipenv: [{ verb: "run" }],
  hatch: [{ verb: "run" }],
  pdm: [{ verb: "run" }],
  npx: [{ takes: "-p --package" }],
  pnpm: [{ verb: "exec" }, { verb: "dlx" }],
  yarn: [{ verb: "exec" }, { verb: "dlx" }],
  bunx: [{}],
};

/** What runs once the wrappers are taken off. */
export interface Unwrapped {
  readonly words: readonly Word[];
  /** Further arguments come from standard input. */
  readonly more: boolean;
  /** A shell text to read instead of the words. */
  readonly text: string | null;
}

/** Wrappers around one program at most. */
const maxWrappers = 10;

/** Takes off what only changes how a program is run: environment, limits, priority, a shell. */
export function unwrap(words: readonly Word[]): Unwrapped {
  let rest = words;
  let more = false;
  for (let i = 0; i < maxWrappers; i++) {
    const text = shellText(rest);
    if (text !== null) return { words: rest, more, text };
    const inner = unwrapOnce(rest);
    if (!inner) break;
    if (nameOf(rest[0]) === "xargs") {
      more = true;
      rest = openPlaceholder(rest, inner);
    } else rest = inner;
  }
  return { words: rest, more, text: null };
}

/** A program's name without its folder. */
export function nameOf(head: Word | undefined): string {
  const text = head?.text ?? "";
  return text.slice(text.lastIndexOf("/") + 1);
}

/** The words of the program inside one wrapper, or null when these words are no wrapper's. */
function unwrapOnce(words: readonly Word[]): readonly Word[] | null {
  const name = nameOf(words[0]);
  const forms = Object.hasOwn(wrappers, name) ? (wrappers[name] ?? []) : [];
  for (const form of forms) {
    if (form.verb !== undefined && words[1]?.text !== form.verb) continue;
    const start = innerStart(words, form);
    // `command -v X` asks for a program, and `time` alone runs nothing.
    const asks = name === "command" && /^-[vV]$/.test(words[1]?.text ?? "");
    return asks || start >= words.length ? null : words.slice(start);
  }
  return null;
}

function innerStart(words: readonly Word[], form: Wrapper): number {
  const takes = form.takes?.split(" ") ?? [];
  let at = form.verb === undefined ? 1 : 2;
  let own = form.own;
  for (let text = words[at]?.text; text !== undefined && text !== "--"; text = words[at]?.text) {
    const isOwn = own?.test(text) === true;
    if (isOwn) own = undefined;
    else if (!/^-./.test(text) && !(form.assigns && /^\w+=/.test(text))) return at;
    at += takes.includes(text) ? 2 : 1;
  }
  return at + 1;
}

export const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh"]);

/** The text of `bash -c TEXT`, `eval TEXT` and `env -S TEXT`, or null. */
function shellText(words: readonly Word[]): string | null {
  const name = nameOf(words[0]);
  if (name === "eval")
    return words
      .slice(1)
      .map((word) => word.text)
      .join(" ");
  if (name === "env") return splitString(words);
  if (!shells.has(name)) return null;
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (/^-[a-z]*c$/.test(text)) return words[at + 1]?.text ?? null;
    if (/^[-+][a-z]*[oO]$/.test(text)) at++;
    else if (!/^[-+]/.test(text)) return null;
  }
  return null;
}

function splitString(words: readonly Word[]): string | null {
  const at = words.findIndex((word) => /^(?:-\w*S|--split-string)(?:=|$)/.test(word.text));
  if (at < 0 || words.slice(1, at).some((word) => !/^-|^\w+=/.test(word.text))) return null;
  const attached = /=(.*)$/s.exec(words[at]?.text ?? "")?.[1];
  const rest = words.slice(attached === undefined ? at + 1 : at + 2).map((word) => word.text);
  return [...(attached === undefined ? [] : [attached]), ...rest].join(" ");
}

/** `xargs -I R`: every argument that holds R stands for something unknown. */
function openPlaceholder(words: readonly Word[], inner: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => word.text === "-I");
  const placeholder = at > 0 ? words[at + 1]?.text : undefined;
  if (placeholder === undefined || placeholder === "") return inner;
  return inner.map((word) =>
    word.text.includes(placeholder) ? { text: word.text, values: [] } : word,
  );
}

/** `NAME=value` words before a command: how many stand there. */
export function assignmentCount(raws: readonly string[]): number {
  const end = raws.findIndex((raw) => !/^\w+(?:\[[^\]]*\])?\+?=/.test(raw));
  return end === -1 ? raws.length : end;
}
