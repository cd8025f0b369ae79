import {
  insertAfter,
  noOperation,
  quoted,
  replaceText,
  showLines,
  writeFile,
} from "./bash-text.ts";

type Input = Readonly<Record<string, unknown>>;

const textAt = (input: Input, key: string) => {
  const value = input[key];
  return typeof value === "string" ? value : "";
};

/** A pair of line numbers: a list, or a text such as `[3, 20]` or `3 20`. */
function rangeAt(input: Input, key: string): readonly [number, number] | null {
  const value = input[key];
  const text = JSON.stringify(value ?? "");
  const [from, to] = (text.match(/-?\d+/g) ?? []).map(Number);
  return from === undefined || to === undefined ? null : [from, to];
}

/** `output` tells whether the path was a folder. */
function view(input: Input, output: string): string {
  const path = textAt(input, "path");
  if (/files and directories up to \d+ levels? deep/.test(output)) {
    return `find ${quoted(path)} -maxdepth 2 -not -path '*/.*'`;
  }
  const range = rangeAt(input, "view_range");
  return range ? showLines(path, ...range) : `cat -n ${quoted(path)}`;
}

/**
 * The bash command that does what a call of the file editor did (`str_replace_editor`,
 * `file_editor` and their kin): view → `cat -n`, `sed -n` or `find` · create → `cat >` with a
 * here-document · str_replace → `sed -i -z` · insert → `sed -i` · undo_edit → `git checkout`, which
 * goes back further but to the same end.
 */
export function editorCommand(input: Input, output: string): string {
  const path = textAt(input, "path");
  const after = textAt(input, "new_str");
  switch (textAt(input, "command")) {
    case "view":
      return view(input, output);
    case "create":
      return writeFile(path, textAt(input, "file_text"));
    case "str_replace":
      return replaceText(path, textAt(input, "old_str"), after, "first");
    case "insert":
      return insertAfter(path, Number(input["insert_line"] ?? 0), after);
    case "undo_edit":
      return `git checkout -- ${quoted(path)}`;
    default:
      return noOperation;
  }
}

/** The editor says so in words when it did nothing. */
export function editorStatus(output: string): number {
  return /^(?:ERROR\b|Error\b|No replacement was performed|Invalid `|The path .* does not exist)/.test(
    output,
  )
    ? 1
    : 0;
}
