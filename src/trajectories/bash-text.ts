/** A word as bash reads it back. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A here-document that gives `text` to `command`, ended by a word that stands nowhere in it. */
export function heredoc(command: string, text: string): string {
  let end = "EOF";
  while (text.split("\n").includes(end)) end += "_";
  return `${command} <<'${end}'\n${text.replace(/\n$/, "")}\n${end}`;
}

export function writeFile(path: string, text: string): string {
  return heredoc(`cat > ${quoted(path)}`, text);
}

export function appendToFile(path: string, text: string): string {
  return heredoc(`cat >> ${quoted(path)}`, text);
}

/** Lines `from` to `to` of a file, from 1; `to` null or not after `from`: to its end. */
export function showLines(path: string, from: number, to: number | null): string {
  const first = Math.max(1, from);
  return `sed -n '${first},${to === null || to < first ? "$" : to}p' ${quoted(path)}`;
}

const sed = (flags: string, script: string, path: string) =>
  `sed ${flags} '${script.replaceAll("'", "'\\''")}' ${quoted(path)}`;

/** The text argument of sed's a, i and c. */
const sedLines = (text: string) =>
  text.replace(/\n$/, "").replaceAll("\\", "\\\\").replaceAll("\n", "\\\n");

/** `text` after line `line`; 0 puts it before the first. */
export function insertAfter(path: string, line: number, text: string): string {
  const where = line < 1 ? "1i" : `${line}a`;
  return sed("-i", `${where}\\\n${sedLines(text)}`, path);
}

/** `text` in place of lines `from` to `to`; nothing in place of them if it is empty. */
export function replaceLines(path: string, from: number, to: number, text: string): string {
  const range = `${Math.max(1, from)},${Math.max(1, to)}`;
  return sed("-i", text === "" ? `${range}d` : `${range}c\\\n${sedLines(text)}`, path);
}

/** The literal `before` by `after`, across lines; GNU sed's -z takes the file as one record. */
export function replaceText(
  path: string,
  before: string,
  after: string,
  scope: "first" | "all",
): string {
  const pattern = before.replaceAll(/[\\/.*[\]^$]/g, "\\$&").replaceAll("\n", "\\n");
  const replacement = after.replaceAll(/[\\/&]/g, "\\$&").replaceAll("\n", "\\n");
  return sed("-i -z", `s/${pattern}/${replacement}/${scope === "all" ? "g" : ""}`, path);
}

/** What submits, so that a tool made for it is understood as the submission that it is. */
export const submitChanges =
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached";

/** Stands for a tool that touches nothing: a thought, a note, a page in a browser. */
export const noOperation = ":";

/**
 * The words of a command line, quotes and backslashes resolved as bash does; no expansion. An
 * unclosed quote ends with the text.
 */
export function wordsOf(line: string): readonly string[] {
  const piece = /'([^']*)(?:'|$)|"((?:[^"\\]|\\[\s\S])*)(?:"|$)|\\([\s\S])|([^\s'"\\]+)|(\s+)/g;
  const words: string[] = [];
  let isOpen = false;
  for (const [, single, double, escaped, bare, space] of line.matchAll(piece)) {
    if (space !== undefined) {
      isOpen = false;
      continue;
    }
    const text = single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? bare ?? "";
    if (isOpen) words.push((words.pop() ?? "") + text);
    else words.push(text);
    isOpen = true;
  }
  return words;
}
