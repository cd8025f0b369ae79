import { z } from "zod";
import type { InstructionType } from "../../domain/search-tree.ts";

const name = z.string().trim().min(1);
const pattern = z.string().trim().optional();
const line = z.coerce.number().int().positive().optional();

const Place = z.object({ path: name, start_line: line, end_line: line });

/** What each tool takes. */
const toolInputs = {
  FindClass: z.object({ class_name: name, file_pattern: pattern }),
  FindFunction: z.object({
    function_name: name,
    class_name: z.string().trim().optional(),
    file_pattern: pattern,
  }),
  FindCodeSnippet: z.object({ code_snippet: z.string().min(1), file_pattern: pattern }),
  SemanticSearch: z.object({ query: name, file_pattern: pattern }),
  ViewCode: z.object({ files: z.array(Place).min(1).max(5) }),
  StringReplace: z.object({ path: name, old_str: z.string().min(1), new_str: z.string() }),
  CreateFile: z.object({ path: name, file_text: z.string() }),
  Finish: z.object({ finish_reason: z.string().default("") }),
} as const;
export type ToolName = keyof typeof toolInputs;

/** A call whose input fits its tool. */
export type ToolCall = {
  [Name in ToolName]: { readonly tool: Name; readonly input: z.infer<(typeof toolInputs)[Name]> };
}[ToolName];

/** How a tool is explained to the model. */
const explanations: Readonly<Record<ToolName, string>> = {
  FindClass: 'where a class is defined: {"class_name": "…", "file_pattern": "optional, *.py"}',
  FindFunction:
    'where a function is defined: {"function_name": "…", "class_name": "optional", "file_pattern": "optional"}',
  FindCodeSnippet:
    'where exactly this code stands: {"code_snippet": "…", "file_pattern": "optional"}',
  SemanticSearch:
    'files ranked by the words of a description: {"query": "…", "file_pattern": "optional"}',
  ViewCode:
    'lines of up to five files: {"files": [{"path": "…", "start_line": 1, "end_line": 80}]}',
  StringReplace:
    'one text of a file replaced by another; the old one must stand there exactly once, with its white space: {"path": "…", "old_str": "…", "new_str": "…"}',
  CreateFile: 'a new file: {"path": "…", "file_text": "…"}',
  Finish: 'the issue is resolved, nothing is left to do: {"finish_reason": "…"}',
};

/** Which tools an instruction of each type leaves to the assistant (SWE-Exp, 3.4.2). */
const toolsByType: Readonly<Record<InstructionType, readonly ToolName[]>> = {
  search: ["FindClass", "FindFunction", "FindCodeSnippet", "SemanticSearch"],
  view: ["ViewCode"],
  modify: ["StringReplace", "CreateFile"],
  finish: ["Finish"],
};

/** null: all of them, for an agent that works alone. */
export function toolsFor(type: InstructionType | null): readonly ToolName[] {
  return type === null ? Object.values(toolsByType).flat() : toolsByType[type];
}

export function explain(tools: readonly ToolName[]): string {
  return tools.map((tool) => `- ${tool}: ${explanations[tool]}`).join("\n");
}

/** The assistant's reply: a thought and one call of a tool that it may use. */
export function replySchema(tools: readonly ToolName[]): z.ZodType<Assisted> {
  return z
    .object({
      thoughts: z.string().catch(""),
      tool: z.enum(tools as [ToolName, ...ToolName[]]),
      input: z.record(z.string(), z.unknown()),
    })
    .transform(({ thoughts, tool, input }, context): Assisted => {
      const read = toolInputs[tool].safeParse(input);
      if (read.success) return { thoughts, call: { tool, input: read.data } as ToolCall };
      const [issue] = read.error.issues;
      const path = ["input", ...(issue?.path ?? [])].map(String);
      context.addIssue({ code: "custom", path, message: issue?.message ?? "does not fit" });
      return z.NEVER;
    });
}

export interface Assisted {
  readonly thoughts: string;
  readonly call: ToolCall;
}
