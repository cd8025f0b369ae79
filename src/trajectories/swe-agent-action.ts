import {
  appendToFile,
  insertAfter,
  noOperation,
  quoted,
  replaceLines,
  replaceText,
  showLines,
  submitChanges,
  wordsOf,
} from "./bash-text.ts";
import { editorCommand, editorStatus } from "./editor-command.ts";

/** What SWE-agent's windowed editor remembers between commands. */
export interface Editor {
  readonly file: string;
  readonly cursors: readonly [number, number];
}

export interface Action {
  readonly command: string;
  /** null: a shell command, whose status SWE-agent does not record. */
  readonly exitCode: number | null;
}

interface Call {
  readonly words: readonly string[];
  /** The lines between the command's own line and `end_of_edit`. */
  readonly body: string | null;
  readonly observation: string;
  readonly editor: Editor;
}

const header = /\[File: (.+?) \(\d+ lines total\)\]/;

/**
 * The editor's state after an action and its observation; `stated` is the open file as the harness
 * wrote it.
 */
export function editorAfter(
  editor: Editor,
  { action, observation }: { readonly action: string; readonly observation: string },
  stated: string | null,
): Editor {
  const shown = header.exec(observation)?.[1];
  const [, first, last] = /^set_cursors (\d+) (\d+)/.exec(action) ?? [];
  const start = first ?? /START_CURSOR moved to (\d+)/.exec(observation)?.[1];
  const end = last ?? /END_CURSOR moved to (\d+)/.exec(observation)?.[1];
  return {
    file: shown ?? (stated === null || stated === "n/a" ? editor.file : stated),
    cursors: [Number(start ?? editor.cursors[0]), Number(end ?? editor.cursors[1])],
  };
}

/** The lines that the window showed. */
function window({ observation }: Call, file: string): string {
  const numbers = [...observation.matchAll(/^(\d+):/gm)].map((match) => Number(match[1]));
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === undefined || last === undefined
    ? `cat ${quoted(file)}`
    : showLines(file, first, last);
}

const isShown = ({ observation }: Call) => header.test(observation);
const editFailed =
  /proposed edit has introduced|Text not found|not found in|No file open|not applied|usage:|Error/i;

function edited({ observation }: Call, command: string): Action {
  const failed = editFailed.test(observation.split("[File:")[0] ?? "");
  return { command, exitCode: failed ? 1 : 0 };
}

function edit(call: Call): Action {
  const { words, body, editor } = call;
  const [, first = "", second = ""] = words;
  const file = header.exec(call.observation)?.[1] ?? editor.file;
  const lines = /^(\d+):(\d+)$/.exec(first);
  if (body !== null) {
    const [from, to] = lines ? [Number(lines[1]), Number(lines[2])] : editor.cursors;
    return edited(call, replaceLines(file, from, to, body));
  }
  const scope = /^true$/i.test(words[3] ?? "") ? "all" : "first";
  return edited(call, replaceText(file, first, second, scope));
}

function insert(call: Call): Action {
  const [, text = "", line] = call.words;
  const file = call.editor.file;
  const command =
    line === undefined ? appendToFile(file, text) : insertAfter(file, Number(line), text);
  return edited(call, command);
}

/** `str_replace_editor COMMAND PATH --option value …` */
function structured({ words, observation }: Call): Action {
  const [, command, path, ...options] = words;
  const input: Record<string, unknown> = { command, path };
  let key = "";
  for (const word of options) {
    if (word.startsWith("--")) key = word.slice(2);
    else input[key] = input[key] === undefined ? word : `${input[key]} ${word}`;
  }
  return { command: editorCommand(input, observation), exitCode: editorStatus(observation) };
}

const show = (call: Call): Action => {
  const file = call.words[0] === "open" ? (call.words[1] ?? "") : call.editor.file;
  return { command: window(call, file), exitCode: isShown(call) ? 0 : 1 };
};

const search = ({ observation }: Call, command: string): Action => ({
  command,
  exitCode: /^No matches found|not found/.test(observation) ? 1 : 0,
});

/** SWE-agent's own commands; each as the bash command that would do the same. */
const tools: Readonly<Record<string, (call: Call) => Action>> = {
  open: show,
  goto: show,
  scroll_down: show,
  scroll_up: show,
  set_cursors: show,
  create: (call) => ({
    command: `echo > ${quoted(call.words[1] ?? "")}`,
    exitCode: isShown(call) ? 0 : 1,
  }),
  edit,
  insert,
  append: insert,
  str_replace_editor: structured,
  find_file: (call) =>
    search(call, `find ${quoted(call.words[2] ?? ".")} -name ${quoted(call.words[1] ?? "")}`),
  search_dir: (call) =>
    search(call, `grep -rn ${quoted(call.words[1] ?? "")} ${quoted(call.words[2] ?? ".")}`),
  search_file: (call) =>
    search(
      call,
      `grep -n ${quoted(call.words[1] ?? "")} ${quoted(call.words[2] ?? call.editor.file)}`,
    ),
  submit: () => ({ command: submitChanges, exitCode: 0 }),
  think: () => ({ command: noOperation, exitCode: 0 }),
};

/**
 * An action of SWE-agent as bash: open, goto, scroll, set_cursors → `sed -n` of the lines shown ·
 * create → `echo >` · edit, insert → `sed -i` or `cat >>` · find_file → `find` · search_dir,
 * search_file → `grep` · str_replace_editor as in editor-command.ts · submit → the sentinel.
 * Anything else is a shell command already. Whether a tool worked is read from what it said.
 */
export function bashOf(action: string, observation: string, editor: Editor): Action {
  const [line = "", ...rest] = action.trim().split("\n");
  const end = rest.indexOf("end_of_edit");
  const isBlock = end !== -1;
  const words = wordsOf(isBlock ? line : action);
  const tool = Object.hasOwn(tools, words[0] ?? "") ? tools[words[0] ?? ""] : undefined;
  if (!tool) return { command: action.trimEnd(), exitCode: null };
  const body = isBlock ? rest.slice(0, end).join("\n") : null;
  return tool({ words, body, observation: observation.replaceAll("\r\n", "\n"), editor });
}
