import { universalNewlines } from "./python-text.ts";

const esc = "\u001b";
const bell = "\u0007";

/** ECMA-48: control sequences, operating system commands, choices of a character set. */
const sequences = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${esc}\\][^${bell}${esc}\\n]*(?:${bell}|${esc}\\\\)`,
    `${esc}[()][0-9A-B]`,
  ].join("|"),
  "g",
);

/** The text of a log: one kind of line end, no colours, no control characters but tabs. */
export function plainText(log: string): string {
  const lines = universalNewlines(log);
  if (!/[^\P{Cc}\n\t]/u.test(lines)) return lines;
  return lines.replaceAll(sequences, "").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}
