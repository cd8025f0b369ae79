import { quote } from "../../agent/patch/script.ts";
import { isRedacted } from "../../domain/redact.ts";
import { patchRefused } from "../command-text.ts";
import { isPlainPath, type Overlay } from "../edits.ts";
import { excerpt } from "./code-text.ts";
import type { Looking } from "./find-code.ts";
import { failed, type Outcome } from "./outcome.ts";
import type { ToolCall } from "./tools.ts";

type Replace = Extract<ToolCall, { tool: "StringReplace" }>["input"];
type Create = Extract<ToolCall, { tool: "CreateFile" }>["input"];

/** Lines around a change that are shown after it. Our choice. */
const around = 4;

/** Replaces the one place where a text stands. */
export async function replaceString(
  { path, old_str: old, new_str: now }: Replace,
  looking: Looking,
): Promise<Outcome> {
  const { workspace, overlay } = looking;
  const file = workspace.find(path, overlay);
  if (file === null) return failed(workspace.unknown(path), overlay);
  const text = await workspace.text(file, overlay);
  if (text === null)
    return failed(`${file} is no text file in UTF-8, so it is left alone.`, overlay);
  if (isRedacted(text)) return failed(`${file} holds a secret, so it is left alone.`, overlay);
  const at = text.indexOf(old);
  const problem = whyNot(text, at, { old, now, file });
  if (problem !== null) return failed(problem, overlay);
  const edited = text.slice(0, at) + now + text.slice(at + old.length);
  const line = text.slice(0, at).split("\n").length;
  const lines = now.split("\n").length;
  return settle(looking, { file, edited, from: line - around, to: line + lines - 1 + around });
}

function whyNot(
  text: string,
  at: number,
  { old, now, file }: { readonly old: string; readonly now: string; readonly file: string },
): string | null {
  if (old === now) return "The old and the new text are the same: nothing would change.";
  if (at === -1) return `${file} does not hold the old text exactly so. ${hint(text, old)}`;
  const again = text.indexOf(old, at + 1);
  if (again === -1) return null;
  const lines = [at, again].map((place) => text.slice(0, place).split("\n").length);
  return `The old text stands in ${file} more than once, at lines ${lines.join(" and ")}. Give more of the lines around it.`;
}

/** Where the first line that tells something stands, if it does. */
function hint(text: string, old: string): string {
  const first = old
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length > 3);
  const lines = text.split("\n");
  const at = first === undefined ? -1 : lines.findIndex((line) => line.includes(first));
  if (at === -1) return "None of its first lines was found either: view the file again.";
  return `Its first line stands at line ${at + 1}: compare white space and what follows.`;
}

export async function createFile(
  { path, file_text: text }: Create,
  looking: Looking,
): Promise<Outcome> {
  const { workspace, overlay } = looking;
  const plain = path.replace(/^\.\//, "");
  if (workspace.find(path, overlay) !== null) {
    return failed(`${path} exists already: change it with StringReplace.`, overlay);
  }
  if (!isPlainPath(plain)) {
    return failed(`"${path}" is no path of a new file within the repository.`, overlay);
  }
  return settle(looking, { file: plain, edited: text, from: 1, to: text.split("\n").length });
}

interface Change {
  readonly file: string;
  readonly edited: string;
  /** Lines that are shown of it. */
  readonly from: number;
  readonly to: number;
}

/**
 * Lays the change on the base where commands run: what does not apply there is none, and what no
 * longer parses is told.
 */
async function settle({ workspace, overlay, chars }: Looking, change: Change): Promise<Outcome> {
  const { file, edited } = change;
  if (Buffer.byteLength(edited) > workspace.maxFileBytes) {
    return failed(`${file} would have more than ${workspace.maxFileBytes} bytes.`, overlay);
  }
  if (edited.includes("\0")) return failed("A text file cannot hold the character NUL.", overlay);
  const next: Overlay = new Map([...overlay, [file, edited]]);
  const { exitCode, output } = await workspace.shell(
    checkCommand(file),
    await workspace.patch(next),
  );
  if (exitCode === patchRefused) {
    return failed(`${file} cannot be changed so: ${output.trim()}`, overlay);
  }
  const part = excerpt(file, edited, change.from, change.to);
  const seen = [part.span];
  const text = `Changed ${part.text}`.slice(0, chars);
  if (exitCode === 0) return { observation: text, expectsCorrection: false, seen, overlay: next };
  const observation = `${text}\n\nThe file no longer parses:\n${output.trim().slice(0, 2000)}`;
  return { observation, expectsCorrection: true, seen, overlay: next };
}

const python =
  'p=$(command -v python3 || command -v python) || exit 0; exec "$p" -c \'import ast, sys; ast.parse(open(sys.argv[1], "rb").read(), sys.argv[1])\'';

/** Refuses a link, which leads elsewhere, and fails where a file does not parse, as far as is known. */
function checkCommand(file: string): string {
  const path = quote(file);
  return `[ ! -L ${path} ] || { echo "it is a symbolic link"; exit ${patchRefused}; }\n${parseCommand(file)}`;
}

function parseCommand(file: string): string {
  if (/\.pyi?$/.test(file)) return `${python} ${quote(file)}`;
  if (/\.[cm]?js$/.test(file)) {
    return `command -v node > /dev/null || exit 0; node --check ${quote(file)}`;
  }
  return "exit 0";
}
