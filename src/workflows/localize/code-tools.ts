import { z } from "zod";
import type { ToolSchema } from "../../domain/message.ts";
import { toolSchema } from "../../experience/repomem/tools.ts";
import { headOf } from "../../substrate/memory/text.ts";

/** The repository at its base. */
export interface Code {
  readonly files: ReadonlySet<string>;
  /** `path:line:text` of lines that hold a text, word for word. */
  readonly grep: (text: string, pathspec: string | null) => Promise<readonly string[]>;
  /** The text of one of `files`. */
  readonly read: (path: string) => Promise<string>;
}

const inputs = {
  SearchEntity: z.object({
    query_list: z.array(z.string().min(1)).min(1),
    file_pattern: z.string().min(1).optional(),
  }),
  TraverseGraph: z.object({ path: z.string() }),
  RetrieveEntity: z.object({
    path: z.string().min(1),
    start_line: z.coerce.number().int().min(1).default(1),
    end_line: z.coerce.number().int().min(1).optional(),
  }),
} as const;
export type CodeTool = keyof typeof inputs;

const text = (description: string) => ({ type: "string", minLength: 1, description });
const line = (description: string) => ({ type: "integer", minimum: 1, description });

/** LocAgent's three tools as far as the text of the code answers them (arXiv:2510.01003). */
export const codeTools: readonly ToolSchema[] = [
  toolSchema(
    "SearchEntity",
    "Find a name or text in the code: definitions first, then other lines.",
    {
      query_list: {
        type: "array",
        items: { type: "string", minLength: 1 },
        minItems: 1,
        description: "Names or exact texts, each searched by itself.",
      },
      file_pattern: text("Only in paths that fit, such as src/*.py."),
    },
    ["query_list"],
  ),
  toolSchema(
    "TraverseGraph",
    "What a folder holds; or what a file defines, what it imports, and which files name it.",
    { path: { type: "string", description: "From the top of the repository; empty: the top." } },
    ["path"],
  ),
  toolSchema(
    "RetrieveEntity",
    "Lines of a file, numbered; 200 unless end_line says otherwise, 400 at most.",
    {
      path: text("From the top of the repository."),
      start_line: line("The first, 1 by default."),
      end_line: line("The last."),
    },
    ["path"],
  ),
];

const linesFound = 40;
const lineLength = 200;
const linesShown = 200;
const mostLines = 400;
const entriesShown = 200;

/** A line that begins a class, a function or a type, in the languages that write it so. */
const definition =
  /^\s*(?:export\s+)?(?:default\s+)?(?:public |private |protected |static |abstract |final )*(?:async\s+)?(?:class|def|function|interface|struct|enum|trait|impl|fn|func|module|type)\s+\S/;
const importing =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s+\S|require\b|export\s+.*\bfrom\b)/;

type Inputs = { readonly [Tool in CodeTool]: z.infer<(typeof inputs)[Tool]> };
type Answers = {
  readonly [Tool in CodeTool]: (code: Code, input: Inputs[Tool]) => Promise<string>;
};

const answers: Answers = {
  SearchEntity: async (code, { query_list, file_pattern = null }) => {
    const parts: string[] = [];
    for (const query of query_list) parts.push(await search(code, query, file_pattern));
    return parts.join("\n\n");
  },
  TraverseGraph: async (code, { path }) => {
    const name = path.replace(/^\.?\/|\/$/g, "").replace(/^\.$/, "");
    return code.files.has(name) ? neighbours(code, name) : folder(code, name);
  },
  RetrieveEntity: async (code, { path, start_line, end_line }) => {
    const name = path.replace(/^\.?\//, "");
    if (!code.files.has(name)) return `There is no file ${path}.`;
    const all = (await code.read(name)).split("\n");
    const last = Math.min(end_line ?? start_line + linesShown - 1, start_line + mostLines - 1);
    const shown = all.slice(start_line - 1, last);
    if (shown.length === 0) return `${name} has ${all.length} lines.`;
    const lines = shown.map((one, at) => `${start_line + at}\t${headOf(one, lineLength)}`);
    return [`${name}, of ${all.length} lines:`, ...lines].join("\n");
  },
};

export const isCodeTool = (name: string): name is CodeTool => Object.hasOwn(inputs, name);

/** What a tool says; wrong input is answered as text. */
export async function answerFromCode(
  code: Code,
  name: CodeTool,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const read = inputs[name].safeParse(input);
  if (read.success) return answers[name](code, read.data as never);
  const [fault] = read.error.issues;
  return `${name} cannot be called so: ${fault?.path.join(".") ?? ""} ${fault?.message ?? ""}`;
}

async function search(code: Code, query: string, pattern: string | null): Promise<string> {
  const found = await code.grep(query, pattern);
  const isDefinition = (hit: string) => definition.test(hit.replace(/^[^:]*:\d+:/, ""));
  const ordered = [...found.filter(isDefinition), ...found.filter((hit) => !isDefinition(hit))];
  const more = ordered.length - linesFound;
  return [
    `${query}:`,
    ...(found.length === 0 ? ["nothing"] : []),
    ...ordered.slice(0, linesFound).map((hit) => headOf(hit, lineLength)),
    ...(more > 0 ? [`and ${more} more lines`] : []),
  ].join("\n");
}

function folder({ files }: Code, name: string): string {
  const prefix = name === "" ? "" : `${name}/`;
  const entries = new Set<string>();
  for (const file of files) {
    if (!file.startsWith(prefix)) continue;
    const [first = "", ...below] = file.slice(prefix.length).split("/");
    entries.add(below.length > 0 ? `${first}/` : first);
  }
  if (entries.size === 0) return `There is no file or folder ${name}.`;
  const more = entries.size - entriesShown;
  return [...[...entries].slice(0, entriesShown), ...(more > 0 ? [`and ${more} more`] : [])].join(
    "\n",
  );
}

async function neighbours(code: Code, file: string): Promise<string> {
  const lines = (await code.read(file)).split("\n");
  const listed = (fits: RegExp) =>
    lines
      .flatMap((one, at) => (fits.test(one) ? [`${at + 1}\t${headOf(one, lineLength)}`] : []))
      .slice(0, entriesShown);
  const stem = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  const naming = (await code.grep(stem, null)).filter((hit) =>
    importing.test(hit.replace(/^[^:]*:\d+:/, "")),
  );
  const importers = [...new Set(naming.map((hit) => hit.slice(0, hit.indexOf(":"))))].slice(
    0,
    linesFound,
  );
  return [
    `${file} defines:`,
    ...listed(definition),
    "imports:",
    ...listed(importing),
    "is named in imports of:",
    ...importers.filter((other) => other !== file),
  ].join("\n");
}
