import type { Span } from "../../domain/search-tree.ts";
import type { Overlay } from "../edits.ts";
import { definitionEnd, excerpt, isWithinClass, linesOf } from "./code-text.ts";
import { grep, type Hit } from "./grep.ts";
import { failed, type Outcome, shown } from "./outcome.ts";
import type { ToolCall } from "./tools.ts";
import type { Workspace } from "./workspace.ts";

/** The node that looks, and how much it is shown. */
export interface Looking {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  readonly patch: string;
  /** Places at most. */
  readonly results: number;
  readonly chars: number;
}

type Find = Extract<ToolCall, { tool: "FindClass" | "FindFunction" | "FindCodeSnippet" }>;

/** Names in the languages that the patterns know; anything else would be a pattern of its own. */
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*[!?]?$/u;

const space = "[[:space:]]";

/** Heads of definitions in Python, JavaScript, TypeScript, Java, Go, Rust, Ruby and C's likes. */
const heads = {
  class: (name: string) => [
    `^${space}*(export${space}+)?(default${space}+)?((abstract|final|public|private|static|sealed|data)${space}+)*(class|interface|struct|enum|trait|module)${space}+${name}([^[:alnum:]_$]|$)`,
    `^${space}*type${space}+${name}${space}+(struct|interface)`,
  ],
  function: (name: string) => [
    `^${space}*(async${space}+)?def${space}+(self\\.)?${name}([^[:alnum:]_]|$)`,
    `function${space}*[*]?${space}*${name}${space}*[(<]`,
    `(const|let|var)${space}+${name}${space}*=`,
    `^${space}*((public|private|protected|static|async|get|set|override)${space}+)*[#*]?${name}${space}*[(][^)]*[)][^;]*[{]${space}*$`,
    `^${space}*(pub${space}+)?(async${space}+)?fn${space}+${name}([^[:alnum:]_]|$)`,
    `^func${space}+([(][^)]*[)]${space}*)?${name}${space}*[(]`,
  ],
} as const;

export async function findCode({ tool, input }: Find, looking: Looking): Promise<Outcome> {
  if (tool === "FindCodeSnippet") return findSnippet(input, looking);
  const name = tool === "FindClass" ? input.class_name : input.function_name;
  const bare = name.slice(name.lastIndexOf(".") + 1);
  if (!identifier.test(bare))
    return failed(`"${name}" is not the name of one thing.`, looking.overlay);
  const within = tool === "FindFunction" ? input.class_name || classOf(name) : null;
  const escaped = bare.replace(/[$?]/g, "[$&]");
  const patterns = heads[tool === "FindClass" ? "class" : "function"](escaped);
  const hits = await grep(looking.workspace, looking, {
    how: "-E",
    patterns,
    files: input.file_pattern,
  });
  if (typeof hits === "string")
    return failed(`Nothing could be searched: ${hits}`, looking.overlay);
  return present(await inClass(hits, within, looking), `definition of ${name}`, looking);
}

const classOf = (name: string) => (name.includes(".") ? (name.split(".").at(-2) ?? null) : null);

async function inClass(
  hits: readonly Hit[],
  name: string | null | undefined,
  { workspace, overlay }: Looking,
): Promise<readonly Hit[]> {
  if (!name || !identifier.test(name)) return hits;
  const kept: Hit[] = [];
  for (const hit of hits) {
    const text = await workspace.text(hit.file, overlay);
    if (text !== null && isWithinClass(linesOf(text), hit.line, name)) kept.push(hit);
  }
  return kept;
}

/** A text of several lines is looked for by its longest line, and then held against the file. */
async function findSnippet(
  {
    code_snippet: snippet,
    file_pattern: files,
  }: Extract<Find, { tool: "FindCodeSnippet" }>["input"],
  looking: Looking,
): Promise<Outcome> {
  const wanted = snippet.trim();
  const longest = wanted
    .split("\n")
    .toSorted((a, b) => b.trim().length - a.trim().length)[0]
    ?.trim();
  if (!longest) return failed("The code to look for is empty.", looking.overlay);
  const how = { how: "-F", patterns: [longest], files } as const;
  const hits = await grep(looking.workspace, looking, how);
  if (typeof hits === "string")
    return failed(`Nothing could be searched: ${hits}`, looking.overlay);
  const found = wanted.includes("\n") ? await whole(hits, wanted, looking) : hits;
  return present(found, "place with that code", looking);
}

async function whole(
  hits: readonly Hit[],
  snippet: string,
  { workspace, overlay }: Looking,
): Promise<readonly Hit[]> {
  const places: Hit[] = [];
  for (const file of new Set(hits.map((hit) => hit.file))) {
    const text = (await workspace.text(file, overlay)) ?? "";
    for (let at = text.indexOf(snippet); at !== -1; at = text.indexOf(snippet, at + 1)) {
      places.push({ file, line: text.slice(0, at).split("\n").length });
    }
  }
  return places;
}

/** Shows each place with what is defined there, as far as there is room, and the rest by line. */
async function present(
  hits: readonly Hit[],
  what: string,
  { workspace, overlay, results, chars }: Looking,
): Promise<Outcome> {
  if (hits.length === 0) return failed(`There is no ${what}.`, overlay);
  const texts: string[] = [];
  const seen: Span[] = [];
  let room = chars;
  for (const { file, line } of hits.slice(0, results)) {
    const text = await workspace.text(file, overlay);
    if (text === null) continue;
    const whole = excerpt(file, text, line, definitionEnd(linesOf(text), line));
    const one = whole.text.length <= room ? whole : excerpt(file, text, line, line);
    room -= one.text.length;
    texts.push(one.text);
    seen.push(one.span);
  }
  const more = hits.length > results ? [`(${hits.length - results} more places not shown)`] : [];
  return shown(
    [`Found: ${what}, ${hits.length} in all.`, ...texts, ...more].join("\n\n"),
    seen,
    overlay,
  );
}
