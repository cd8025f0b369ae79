import { noOperation, quoted, replaceLines, submitChanges, writeFile } from "./bash-text.ts";
import { editorCommand, editorStatus } from "./editor-command.ts";
import type { CallResult } from "./foreign.ts";
import { ipythonCommand, ipythonStatus } from "./ipython-command.ts";
import type { JsonObject } from "./message-text.ts";

/** A tool call of OpenHands with what it printed. */
export interface ToolUse {
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: string;
  /** As recorded beside the output; -1 is a command that still runs; null: look into the text. */
  readonly exitCode: number | null;
}

interface Tool {
  readonly command: (use: ToolUse) => string;
  readonly status: (output: string) => number | null;
}

const textAt = (input: JsonObject, key: string) => {
  const value = input[key];
  return typeof value === "string" ? value : "";
};

const finished = /\[(?:Command finished|The command completed) with exit code (-?\d+)\.?\]/g;

function shellStatus(output: string): number | null {
  const code = [...output.matchAll(finished)].at(-1)?.[1];
  return code === undefined ? null : Number(code);
}

/** Text typed into a command that runs already is no command of its own. */
function shellCommand({ input }: ToolUse): string {
  const command = textAt(input, "command");
  if (command.trim() === "") return noOperation;
  const isInput = input["is_input"];
  return isInput === true || isInput === "true" ? `${noOperation} ${quoted(command)}` : command;
}

const shell: Tool = { command: shellCommand, status: shellStatus };
const editor: Tool = {
  command: ({ input, output }) => editorCommand(input, output),
  status: editorStatus,
};
const ipython: Tool = {
  command: ({ input }) => ipythonCommand(textAt(input, "code")),
  status: ipythonStatus,
};

/** The older editor, which takes a range of lines and a draft for them. */
const drafted: Tool = {
  command: ({ input }) => {
    const [path, text] = [textAt(input, "path"), textAt(input, "content")];
    const [from, to] = [Number(input["start"] ?? 1), Number(input["end"] ?? -1)];
    return to < from ? writeFile(path, text) : replaceLines(path, from, to, text);
  },
  status: editorStatus,
};
const quiet: Tool = { command: () => noOperation, status: () => 0 };
const finish: Tool = { command: () => submitChanges, status: () => 0 };
const fetched: Tool = {
  command: ({ input }) => `curl -s ${quoted(textAt(input, "url"))}`,
  status: () => null,
};

/** Names of tools and of event types, every version's. */
const tools: Readonly<Record<string, Tool>> = {
  execute_bash: shell,
  bash: shell,
  terminal: shell,
  run: shell,
  str_replace_editor: editor,
  str_replace_based_edit_tool: editor,
  file_editor: editor,
  edit_file: drafted,
  write: drafted,
  execute_ipython_cell: ipython,
  run_ipython: ipython,
  browse: fetched,
  fetch: fetched,
  finish,
};

/** What the tools add around an output: a line before it, lines after it. */
const lead = /^(?:OBSERVATION:\n|EXECUTION RESULT of \[\w+\]:\n)/;
const trailer =
  /^\[(?:The command completed|Command finished|(?:Jupyter )?(?:[Cc]urrent working directory|Python [Ii]nterpreter))/;

function withoutTrailers(text: string): string {
  const lines = text.trimEnd().split("\n");
  const end = lines.findLastIndex((line) => !trailer.test(line)) + 1;
  return end === lines.length ? text : lines.slice(0, end).join("\n");
}

const stillRuns = /\[The command (?:has no new output after|timed out after|did not complete)/;

/**
 * A tool call of OpenHands as bash: execute_bash, terminal → the command itself · the file editor
 * as in editor-command.ts · IPython cells as in ipython-command.ts · edit_file, write → `sed -i` or
 * `cat >` · browse → `curl` · finish → the sentinel · think, task lists and anything else that
 * touches no file → `:`.
 */
export function bashOf(use: ToolUse): { readonly command: string; readonly result: CallResult } {
  const tool = Object.hasOwn(tools, use.tool) ? (tools[use.tool] ?? quiet) : quiet;
  const text = use.output.replace(lead, "");
  const code = use.exitCode ?? tool.status(text);
  const runs = code === -1 || (code === null && stillRuns.test(text));
  const result = { output: withoutTrailers(text), exitCode: runs ? null : code, timedOut: runs };
  return { command: tool.command({ ...use, output: text }), result };
}

/** The command alone, of a call whose result is not recorded. */
export function bashCommandOf(tool: string, input: JsonObject): string {
  return bashOf({ tool, input, output: "", exitCode: null }).command;
}
