import { pythonImports } from "./python-imports.ts";
import { scriptImports } from "./script-imports.ts";
import { dedent, type SnippetLine, snippetLines } from "./snippet.ts";

/** `file` imports whatever file has one of the stems: paths without extension. */
export interface FileImports {
  readonly file: string;
  readonly stems: readonly string[];
}

const language = /\.(?:(?<python>pyi?)|(?<script>[cm]?[jt]sx?))$/;

/**
 * What the shown source imports. `shown` is the file that lines without a file of their own stem
 * from; null leaves them out.
 */
export function importsIn(output: string, shown: string | null): readonly FileImports[] {
  const byFile = new Map<string, SnippetLine[]>();
  for (const line of snippetLines(output)) {
    const file = line.file?.replace(/^\.\//, "") ?? shown;
    if (file === null || !language.test(file)) continue;
    const lines = byFile.get(file);
    if (lines === undefined) byFile.set(file, [line]);
    else lines.push(line);
  }
  return [...byFile]
    .map(([file, lines]) => ({ file, stems: stemsIn(file, dedent(lines.map(({ text }) => text))) }))
    .filter(({ stems }) => stems.length > 0);
}

/** The stem under which others import the file; null when nobody can. */
export function stemOf(file: string): string | null {
  if (!language.test(file)) return null;
  return file.replace(language, "").replace(/(?:^|\/)(?:__init__|index)$/, "");
}

function stemsIn(file: string, source: string): readonly string[] {
  if (!/\b(?:import|require|export)\b/.test(source)) return [];
  const folders = file.split("/").slice(0, -1);
  const stems = language.exec(file)?.groups?.["python"]
    ? pythonImports(source).flatMap((module) => pythonStems(folders, module))
    : scriptImports(source).flatMap((specifier) => scriptStems(folders, specifier));
  return [...new Set(stems)].filter((stem) => stem !== stemOf(file));
}

/** A package may lie under a folder such as `src` or `lib`: that of the importing file tells. */
function pythonStems(folders: readonly string[], module: string): readonly string[] {
  const level = /^\.*/.exec(module)?.[0].length ?? 0;
  const names = module
    .slice(level)
    .split(".")
    .filter((name) => name !== "");
  if (level > 0) {
    if (level - 1 > folders.length) return [];
    return [[...folders.slice(0, folders.length - level + 1), ...names].join("/")];
  }
  const root = folders.indexOf(names[0] ?? "");
  const paths = root > 0 ? [names, [...folders.slice(0, root), ...names]] : [names];
  return paths.map((path) => path.join("/"));
}

function scriptStems(folders: readonly string[], specifier: string): readonly string[] {
  if (!specifier.startsWith(".")) return [];
  const path = [...folders];
  for (const part of specifier.split("/")) {
    if (part === "..") path.pop();
    else if (part !== "." && part !== "") path.push(part);
  }
  const joined = path.join("/");
  return [stemOf(joined) ?? joined];
}
