/** What starts a comment that takes a whole line, by the endings of files. */
const comments: readonly (readonly [RegExp, string])[] = [
  [/\.(?:pyi?|pyx|sh|rb|ya?ml|toml|cfg)$/, "#"],
  [/\.(?:[cm]?[jt]sx?|c|cc|cpp|h|hpp|java|go|rs)$/, "//"],
];

/** Header lines that are a change without any line of text. */
const changeWithoutText =
  /^(?:new file|deleted file|new mode|rename to|copy to|GIT binary patch|Binary files)\b/;

/**
 * Whether a unified diff changes anything but blank lines, whole-line comments and the white space
 * at the ends of lines. Indentation counts: in Python it is meaning. A text that is no diff changes
 * nothing; a line of a malformed diff that would add or remove something is a change.
 */
export function changesCode(diff: string): boolean {
  const lines = diff.split("\n");
  let path: string | null = null;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const length = hunkLength(lines, at);
    const hunk = lines.slice(at + 1, at + length);
    if (length > 0 ? differs(hunk, path) : tellsChange(line, path !== null)) return true;
    path = headerPath(line) ?? path;
    at += Math.max(1, length);
  }
  return false;
}

/** Lines of the hunk whose header stands at `at`, with the header; 0: none does. */
function hunkLength(lines: readonly string[], at: number): number {
  const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at] ?? "");
  if (!header) return 0;
  let before = Number(header[1] ?? 1);
  let after = Number(header[2] ?? 1);
  let end = at + 1;
  while (end < lines.length && (before > 0 || after > 0)) {
    const counts = countsOf(lines[end] ?? "");
    if (counts === null) break;
    before -= counts.before;
    after -= counts.after;
    end += 1;
  }
  return end - at;
}

/** How many lines of the file before and after the change a line of a hunk is; null: it is none. */
function countsOf(line: string): { readonly before: number; readonly after: number } | null {
  switch (line[0]) {
    case undefined:
    case " ":
      return { before: 1, after: 1 };
    case "-":
      return { before: 1, after: 0 };
    case "+":
      return { before: 0, after: 1 };
    case "\\":
      return { before: 0, after: 0 };
    default:
      return null;
  }
}

function differs(hunk: readonly string[], path: string | null): boolean {
  const comment = comments.find(([ending]) => ending.test(path ?? ""))?.[1] ?? null;
  return codeOn("-", hunk, comment) !== codeOn("+", hunk, comment);
}

/** The code of a hunk before (`-`) or after (`+`) the change. */
function codeOn(side: "-" | "+", hunk: readonly string[], comment: string | null): string {
  return hunk
    .filter((line) => line.startsWith(side) || line.startsWith(" "))
    .map((line) => line.slice(1).trimEnd())
    .filter((text) => text !== "" && !(comment && text.trimStart().startsWith(comment)))
    .join("\n");
}

/** A line outside of hunks. `-- ` ends a mailed patch. */
function tellsChange(line: string, isInDiff: boolean): boolean {
  if (changeWithoutText.test(line)) return true;
  return isInDiff && /^[-+]/.test(line) && !/^(?:--- |\+\+\+ |-- ?$)/.test(line);
}

function headerPath(line: string): string | null {
  const path = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line)?.[1] ?? null;
  return path === "/dev/null" ? null : path;
}
