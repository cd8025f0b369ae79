/** A word that no line of the text is, so that a here-document with it holds the whole text. */
function endOf(text: string, word: string): string {
  const lines = new Set(text.split("\n"));
  let end = word;
  for (let n = 2; lines.has(end); n++) end = `${word}_${n}`;
  return end;
}

/** A here-document: what stands in the command's line, and what stands below it. */
function hereDocument(text: string, word: string): readonly [mark: string, body: string] {
  const end = endOf(text, word);
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return [`<<'${end}'`, `${whole}${end}`];
}

/** A command that lays a patch and then goes on, so that whoever has the base can run it again. */
export function onPatch(patch: string, command: string): string {
  if (patch === "") return command;
  const [mark, body] = hereDocument(patch, "PATCH");
  return `git apply --whitespace=nowarn ${mark} || exit ${patchRefused}\n${body}\n${command}`;
}

/** Exit status of a command whose patch does not apply. */
export const patchRefused = 96;

/** A script in a language that runs here. */
export interface Script {
  readonly lang: "python" | "bash";
  readonly text: string;
}

/**
 * Writes a script beside the repository's files and runs it; `name` is a plain word. The
 * repository's own modules come first, and no bytecode is written, so that an edit within the same
 * second cannot be missed.
 */
export function runScriptText({ lang, text }: Script, name: string): string {
  const file = `${name}.${lang === "python" ? "py" : "sh"}`;
  const run =
    lang === "python"
      ? `PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD\${PYTHONPATH:+:$PYTHONPATH}" python3 ${file}`
      : `bash ${file}`;
  const [mark, body] = hereDocument(text, "SCRIPT");
  return `cat > ${file} ${mark}\n${body}\n${run}`;
}
