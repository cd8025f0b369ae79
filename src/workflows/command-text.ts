import { quote } from "../agent/patch/script.ts";

/** A word that no line of the text is, so that a here-document with it holds the whole text. */
function endOf(text: string, word: string): string {
  const lines = new Set(text.split("\n"));
  let end = word;
  for (let n = 2; lines.has(end); n++) end = `${word}_${n}`;
  return end;
}

/** A here-document takes a text as it is, up to its last line end. */
function hereDocument(text: string, word: string): string {
  const end = endOf(text, word);
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `<<'${end}'\n${body}${end}`;
}

/** A command that lays a patch and then goes on, so that whoever has the base can run it again. */
export function onPatch(patch: string, command: string): string {
  if (patch === "") return command;
  return `git apply --whitespace=nowarn ${hereDocument(patch, "PATCH")}\n[ $? -eq 0 ] || exit ${patchRefused}\n${command}`;
}

/** Exit status of a command whose patch does not apply. */
export const patchRefused = 96;

/** A script in a language that runs here. */
export interface Script {
  readonly lang: "python" | "bash";
  readonly text: string;
}

/**
 * Writes a script beside the repository's files and runs it. The repository's own modules come
 * first, and no bytecode is written, so that an edit within the same second cannot be missed.
 */
export function runScriptText({ lang, text }: Script, name: string): string {
  const file = `${name}.${lang === "python" ? "py" : "sh"}`;
  const run =
    lang === "python"
      ? `PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD\${PYTHONPATH:+:$PYTHONPATH}" "$(command -v python || command -v python3)" ${quote(file)}`
      : `bash ${quote(file)}`;
  return `cat > ${quote(file)} ${hereDocument(text, "SCRIPT")}\n${run}`;
}
