import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appendToFile,
  insertAfter,
  quoted,
  replaceLines,
  replaceText,
  showLines,
  wordsOf,
  writeFile,
} from "../../src/trajectories/bash-text.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-bash-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bash(command: string): string {
  const { stdout, stderr, status } = spawnSync("bash", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
  });
  if (status !== 0) throw new Error(`${command}\n${stderr}`);
  return stdout;
}

/** The file `it's.py` after a command on its path. */
function edited(text: string, command: (path: string) => string): string {
  writeFileSync(join(folder, "it's.py"), text);
  bash(command("it's.py"));
  return readFileSync(join(folder, "it's.py"), "utf8");
}

/** Text such as code has, with all that shells and sed could trip over. */
const piece = fc.constantFrom(
  "a",
  "b",
  " ",
  "'",
  '"',
  "\\",
  "/",
  "&",
  ".",
  "*",
  "[",
  "]",
  "^",
  "$",
  "é",
  "`",
  "!",
  "EOF",
  "(",
  "{1}",
  "\t",
);
const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const lines = fc.array(line, { minLength: 1, maxLength: 5 });
const runs = { numRuns: 25 };

describe("commands that stand for edits, run by bash", () => {
  it("writes and appends any text, with one newline at its end", () => {
    fc.assert(
      fc.property(lines, lines, (first, second) => {
        const [head, tail] = [first.join("\n"), second.join("\n")];
        expect(edited("", (path) => writeFile(path, head))).toBe(
          `${head}\n`.replace(/\n\n$/, "\n"),
        );
        expect(edited("x\n", (path) => appendToFile(path, `${tail}!`))).toBe(`x\n${tail}!\n`);
      }),
      runs,
    );
  });

  it("replaces the first literal occurrence, across lines", () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, (before, old, rest, fresh) => {
        const searched = `<${old.join("\n")}>`;
        const text = `${before.join("\n")}${searched}${rest.join("\n")}${searched}\n`;
        const replacement = fresh.join("\n");
        expect(edited(text, (path) => replaceText(path, searched, replacement, "first"))).toBe(
          text.replace(searched, () => replacement),
        );
        expect(edited(text, (path) => replaceText(path, searched, replacement, "all"))).toBe(
          text.replaceAll(searched, () => replacement),
        );
      }),
      runs,
    );
  });

  it("replaces a range of lines and inserts after a line", () => {
    fc.assert(
      fc.property(lines, (fresh) => {
        const text = `${fresh.join("\n")}!`;
        expect(edited("1\n2\n3\n4\n", (path) => replaceLines(path, 2, 3, text))).toBe(
          `1\n${text}\n4\n`,
        );
        expect(edited("1\n2\n", (path) => insertAfter(path, 1, text))).toBe(`1\n${text}\n2\n`);
        expect(edited("1\n2\n", (path) => insertAfter(path, 0, text))).toBe(`${text}\n1\n2\n`);
      }),
      runs,
    );
    expect(edited("1\n2\n3\n", (path) => replaceLines(path, 1, 2, ""))).toBe("3\n");
  });

  it("quotes a word so that bash gives it back", () => {
    fc.assert(
      fc.property(line, (word) => {
        expect(bash(`printf '%s' ${quoted(word)}`)).toBe(word);
      }),
      runs,
    );
  });
});

describe("showLines", () => {
  it.each([
    [1, 20, "sed -n '1,20p' a.py"],
    [0, 5, "sed -n '1,5p' a.py"],
    [10, -1, "sed -n '10,$p' a.py"],
    [10, null, "sed -n '10,$p' a.py"],
  ])("lines %s to %s", (from, to, command) => {
    expect(showLines("a.py", from, to)).toBe(command);
  });
});

describe("wordsOf", () => {
  it.each([
    [`open "a b.py" 12`, ["open", "a b.py", "12"]],
    [`edit 'it'\\''s' "say \\"so\\""`, ["edit", "it's", 'say "so"']],
    [`a'b c'd\\ e ''`, ["ab cd e", ""]],
    [`edit 'two\nlines'`, ["edit", "two\nlines"]],
    [`open 'never closed`, ["open", "never closed"]],
    ["", []],
  ])("%j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("takes quoted words as bash does", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (words) => {
        expect(wordsOf(words.map(quoted).join(" "))).toEqual(words);
      }),
    );
  });
});
