import {
  insertAfter,
  noOperation,
  quoted,
  replaceText,
  showLines,
  writeFile,
} from "../trajectories/bash-text.ts";
import { numberIn, objectsIn, type ToolInput, textIn } from "./tool-input.ts";

/** Characters of a written file that are told: as many as the reading of commands remembers. */
const writtenChars = 65_536;

type Tool = (input: ToolInput) => string;

/** Under the names of qwen-code and Claude Code, pi, opencode. */
const pathIn = (input: ToolInput) =>
  textIn(input, "file_path", "path", "filePath", "absolute_path");

const shell: Tool = (input) => {
  const command = textIn(input, "command");
  const folder = textIn(input, "directory", "workdir");
  return folder === "" ? command || noOperation : `cd ${quoted(folder)} && ${command}`;
};

const write: Tool = (input) =>
  writeFile(pathIn(input), textIn(input, "content").slice(0, writtenChars));

/** One edit, or each of a list of them. */
const edit: Tool = (input) => {
  const path = pathIn(input);
  const listed = objectsIn(input, "edits");
  const edits = listed.length > 0 ? listed : [input];
  return edits.map((one) => replacement(path, one)).join(" && ");
};

function replacement(path: string, one: ToolInput): string {
  const before = textIn(one, "old_string", "oldString", "oldText");
  const after = textIn(one, "new_string", "newString", "newText");
  // An edit of nothing makes the file, in the hosts that allow it.
  if (before === "") return writeFile(path, after.slice(0, writtenChars));
  const isEverywhere = one["replace_all"] === true || one["replaceAll"] === true;
  return replaceText(path, before, after, isEverywhere ? "all" : "first");
}

const notebook: Tool = (input) =>
  insertAfter(textIn(input, "notebook_path"), 1, textIn(input, "new_source"));

const read: Tool = (input) => {
  const path = pathIn(input);
  const [offset, limit] = [numberIn(input, "offset"), numberIn(input, "limit")];
  if (offset === null && limit === null) return `cat ${quoted(path)}`;
  const from = Math.max(1, offset ?? 1);
  return showLines(path, from, limit === null ? null : from + limit - 1);
};

const readMany: Tool = (input) => {
  const paths = input["paths"] ?? input["file_paths"];
  const named = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return named.length === 0 ? noOperation : `cat ${named.map(quoted).join(" ")}`;
};

const placeIn = (input: ToolInput) => textIn(input, "path", "dir_path", "directory") || ".";

const grep: Tool = (input) => {
  const files = textIn(input, "glob", "include");
  const only = files === "" ? "" : ` --include=${quoted(files)}`;
  return `grep -rn${only} -e ${quoted(textIn(input, "pattern"))} ${quoted(placeIn(input))}`;
};

/** `find` knows no `**`: the last part of the pattern is what names files. */
const glob: Tool = (input) => {
  const name = textIn(input, "pattern").split("/").at(-1) ?? "";
  return `find ${quoted(placeIn(input))} -name ${quoted(name || "*")}`;
};

const list: Tool = (input) => `ls ${quoted(placeIn(input))}`;

const fetched: Tool = (input) => `curl -s ${quoted(textIn(input, "url"))}`;

/** By the names that the hosts give their tools, without regard to case. */
const tools: ReadonlyMap<string, Tool> = new Map([
  ["run_shell_command", shell],
  ["bash", shell],
  ["shell", shell],
  ["write_file", write],
  ["write", write],
  ["edit", edit],
  ["multiedit", edit],
  ["replace", edit],
  ["notebook_edit", notebook],
  ["notebookedit", notebook],
  ["read_file", read],
  ["read", read],
  ["read_many_files", readMany],
  ["grep_search", grep],
  ["search_file_content", grep],
  ["grep", grep],
  ["glob", glob],
  ["find", glob],
  ["list_directory", list],
  ["list", list],
  ["ls", list],
  ["web_fetch", fetched],
  ["webfetch", fetched],
]);

/** Tools that touch nothing of the repository, so that nobody need wonder at their names. */
const quiet =
  /^(?:agent|task\w*|todo\w*|skill|tool_search|tool_call|get_goal|update_goal|list_agents|exit_?plan_?mode|enter_?plan_?mode|ask_?user\w*|web_?search|bash_?output|kill_?(?:bash|shell)|save_memory|slash_?command|send_message|invalid|lsp|question)$/i;

/** Whether a tool is left out on purpose. */
export const isQuiet = (tool: string): boolean => quiet.test(tool);

/** Whether a tool runs a command line of the model's own. */
export const isShell = (tool: string): boolean => tools.get(tool.toLowerCase()) === shell;

/**
 * The bash command that does what a host's tool did: shell → the command itself · write → `cat >` ·
 * edit, multi-edit → `sed -i` · read → `cat` or `sed -n` · grep → `grep -rn` · glob → `find`. null: a
 * tool that is not known.
 */
export function toolCommand(tool: string, input: ToolInput): string | null {
  return tools.get(tool.toLowerCase())?.(input) ?? null;
}
