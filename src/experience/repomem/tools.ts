import { z } from "zod";
import type { ToolSchema } from "../../domain/message.ts";

const texts = z.array(z.string().min(1)).min(1);
const count = z.int().min(1).max(100).optional();

/** What the four tools take (arXiv:2510.01003). */
export const memoryInputs = {
  SearchCommit: z.object({ query_list: texts, top_k: count }),
  ExamineCommit: z.object({ sha_list: texts, display_issue: z.boolean().default(false) }),
  ViewSummary: z.object({ file_list: texts }),
  SearchSummary: z.object({ query: z.string().min(1), top_k: count }),
} as const;
export type MemoryTool = keyof typeof memoryInputs;

const list = (of: string) => ({
  type: "array",
  items: { type: "string", minLength: 1 },
  minItems: 1,
  description: of,
});
const topK = (preset: number) => ({
  type: "integer",
  minimum: 1,
  maximum: 100,
  default: preset,
  description: "How many to list.",
});

/** A tool whose input is an object of these properties and no others. */
export function toolSchema(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): ToolSchema {
  return {
    name,
    description,
    parameters: { type: "object", properties, required, additionalProperties: false },
  };
}

/** How many a search lists where a call does not say. */
export interface Presets {
  readonly topCommits: number;
  readonly topSummaries: number;
}

/** The tools as a model is told of them. */
export const memoryTools = ({ topCommits, topSummaries }: Presets): readonly ToolSchema[] => [
  toolSchema(
    "SearchCommit",
    "Search the repository's earlier commits by the words of their messages. Each query is answered by its own list of: SHA | message | edited files.",
    {
      query_list: list("Words, names or error texts; each a query of its own."),
      top_k: topK(topCommits),
    },
    ["query_list"],
  ),
  toolSchema(
    "ExamineCommit",
    "Show earlier commits whole: message and patch. Line numbers are those of that time, not of today's files.",
    {
      sha_list: list("As SearchCommit lists them, nine digits."),
      display_issue: {
        type: "boolean",
        default: false,
        description: "Also show the issue that a commit names, where it is known.",
      },
    },
    ["sha_list"],
  ),
  toolSchema(
    "ViewSummary",
    "What files do, in a few sentences. Only the files that changed most have a summary.",
    { file_list: list("Paths from the top of the repository.") },
    ["file_list"],
  ),
  toolSchema(
    "SearchSummary",
    "Search those summaries by their words.",
    { query: { type: "string", minLength: 1 }, top_k: topK(topSummaries) },
    ["query"],
  ),
];
