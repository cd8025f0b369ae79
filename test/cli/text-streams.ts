import { stripVTControlCharacters } from "node:util";

export const esc = "\u001b";

/** A pipe or a file. */
export function pipe() {
  const written: string[] = [];
  return { written, write: (text: string) => written.push(text), text: () => written.join("") };
}

/** A screen that understands what the live line uses: erase the line, write, newline. */
export function terminal(columns = 80) {
  const written: string[] = [];
  const screen = () => {
    const text = stripVTControlCharacters(written.join("").replaceAll(`\r${esc}[2K`, "\f"));
    return text.split("\n").map((line) => line.slice(line.lastIndexOf("\f") + 1));
  };
  return { isTTY: true, columns, written, screen, write: (text: string) => written.push(text) };
}
