import {
  appendToFile,
  heredoc,
  insertAfter,
  quoted,
  replaceLines,
  replaceText,
  showLines,
} from "./bash-text.ts";

/** A Python string or number literal, or a bare word such as True; with its keyword if it has one. */
const argument =
  /(?:(\w+)\s*=\s*)?(?:[rRbBuU]?"""((?:(?!""")[\s\S])*)"""|[rRbBuU]?'''((?:(?!''')[\s\S])*)'''|[rRbBuU]?"((?:[^"\\]|\\.)*)"|[rRbBuU]?'((?:[^'\\]|\\.)*)'|(-?\w+))\s*(?:,|$)/g;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\n": "" };

const unescaped = (text: string) =>
  text.replaceAll(/\\([\s\S])/g, (whole, character: string) =>
    /[\\'"nt\n]/.test(character) ? (escapes[character] ?? character) : whole,
  );

interface Arguments {
  /** The n-th positional argument, or the one with the keyword; empty if there is none. */
  readonly at: (n: number, keyword: string) => string;
}

function argumentsOf(text: string): Arguments {
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const [, key, ...literals] of text.matchAll(argument)) {
    const value = unescaped(literals.find((literal) => literal !== undefined) ?? "");
    if (key === undefined) positional.push(value);
    else named.set(key, value);
  }
  return { at: (n, keyword) => named.get(keyword) ?? positional[n] ?? "" };
}

/** The window of 100 lines around a line, or the whole file. */
function open(path: string, line: number): string {
  return line > 0 ? showLines(path, line - 50, line + 50) : `cat ${quoted(path)}`;
}

/** OpenHands' file skills of the IPython tool, as bash. */
const skills: Readonly<Record<string, (given: Arguments) => string>> = {
  open_file: (given) => open(given.at(0, "path"), Number(given.at(1, "line_number") || 0)),
  create_file: (given) => `touch ${quoted(given.at(0, "filename"))}`,
  edit_file_by_replace: (given) =>
    replaceText(
      given.at(0, "file_name"),
      given.at(1, "to_replace"),
      given.at(2, "new_content"),
      "first",
    ),
  edit_file_by_line: (given) =>
    replaceLines(
      given.at(0, "file_name"),
      Number(given.at(1, "start") || 1),
      Number(given.at(2, "end") || 1),
      given.at(3, "new_content"),
    ),
  insert_content_at_line: (given) =>
    insertAfter(
      given.at(0, "file_name"),
      Number(given.at(1, "line_number") || 1) - 1,
      given.at(2, "content"),
    ),
  append_file: (given) => appendToFile(given.at(0, "file_name"), given.at(1, "content")),
  search_dir: (given) =>
    `grep -rn ${quoted(given.at(0, "search_term"))} ${quoted(given.at(1, "dir_path") || ".")}`,
  search_file: (given) =>
    `grep -n ${quoted(given.at(0, "search_term"))} ${quoted(given.at(1, "file_path") || ".")}`,
  find_file: (given) =>
    `find ${quoted(given.at(1, "dir_path") || ".")} -name ${quoted(given.at(0, "file_name"))}`,
};

/** What stands before the brackets that close a call. */
function insideOf(rest: string): string {
  let text = rest.trim();
  while (text.endsWith(")")) text = text.slice(0, -1).trimEnd();
  return text;
}

/**
 * A cell of OpenHands' IPython tool as bash: a lone call of a file skill is the command that does
 * the same; any other code is given to python3.
 */
export function ipythonCommand(code: string): string {
  const [opening = "", name = ""] = /^\s*(?:print\()?(\w+)\(/.exec(code) ?? [];
  const skill = Object.hasOwn(skills, name) ? skills[name] : undefined;
  return skill
    ? skill(argumentsOf(insideOf(code.slice(opening.length))))
    : heredoc("python3 -", code);
}

/** What a skill says when it did nothing, and what a Python error looks like. */
export function ipythonStatus(output: string): number {
  return /^(?:ERROR|\[?Your proposed edit has introduced|\[?No exact match found)|^-{10,}\n\w+Error|^Traceback \(most recent/m.test(
    output,
  )
    ? 1
    : 0;
}
