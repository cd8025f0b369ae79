import type { z } from "zod";
import { headOf } from "../../substrate/memory/text.ts";
import { type Commit, type IssueEntry, shortOf, subjectOf } from "./commit.ts";
import type { CommitMemory } from "./commit-memory.ts";
import { similarCommits } from "./evidence.ts";
import { linkedIssues } from "./links.ts";
import { type SummaryMemory, searchSummaries } from "./summary.ts";
import { type MemoryTool, memoryInputs, type Presets } from "./tools.ts";

/** What the tools look into. */
export interface RepoMemory extends Presets {
  /** null: switched off, or gated. */
  readonly commits: CommitMemory | null;
  /** null: none were made. */
  readonly summaries: SummaryMemory | null;
  readonly issues: readonly IssueEntry[];
  readonly patchChars: number;
  /** A commit's patch against its parent. */
  readonly patchOf: (commit: Commit) => Promise<string>;
}

const filesShown = 12;
const candidates = 3;
const historical = "Line numbers in these patches are of their time; look at today's files.";
const withoutCommits = "There is no memory of commits here.";
const withoutSummaries = "There are no summaries of files here.";

/** `SHA | message | edited files`. */
export function commitLine(commit: Commit): string {
  const { files } = commit;
  const more = files.length - filesShown;
  const shown = files.slice(0, filesShown).join(", ") + (more > 0 ? `, and ${more} more` : "");
  return `${shortOf(commit)} | ${subjectOf(commit)} | ${shown}`.replace(/\s+/g, " ");
}

type Inputs = { readonly [Tool in MemoryTool]: z.infer<(typeof memoryInputs)[Tool]> };
type Answers = {
  readonly [Tool in MemoryTool]: (memory: RepoMemory, input: Inputs[Tool]) => Promise<string>;
};

const answers: Answers = {
  SearchCommit: async ({ commits, topCommits }, { query_list, top_k = topCommits }) =>
    commits === null
      ? withoutCommits
      : query_list.map((query) => searchCommit(commits, query, top_k)).join("\n\n"),
  ExamineCommit: async (memory, { sha_list, display_issue }) => {
    const parts: string[] = [];
    for (const sha of sha_list) parts.push(await examine(memory, sha, display_issue));
    return [...parts, historical].join("\n\n");
  },
  ViewSummary: async ({ summaries }, { file_list }) =>
    summaries === null
      ? withoutSummaries
      : file_list.map((file) => viewSummary(summaries, file)).join("\n\n"),
  SearchSummary: async ({ summaries, topSummaries }, { query, top_k = topSummaries }) => {
    if (summaries === null) return withoutSummaries;
    const found = searchSummaries(summaries, query, top_k);
    if (found.length === 0) return "No summary has any of these words.";
    return found.map(({ found: one }) => `${one.file}: ${one.summary}`).join("\n\n");
  },
};

/** Whether a tool is one of memory's. */
export const isMemoryTool = (name: string): name is MemoryTool => Object.hasOwn(memoryInputs, name);

/** What a tool says. Wrong input and unknown names are answered as text: it is for a model. */
export async function answer(
  memory: RepoMemory,
  tool: MemoryTool,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const read = memoryInputs[tool].safeParse(input);
  if (read.success) return answers[tool](memory, read.data as never);
  const [fault] = read.error.issues;
  return `${tool} cannot be called so: ${fault?.path.join(".") ?? ""} ${fault?.message ?? ""}`;
}

function searchCommit(memory: CommitMemory, query: string, most: number): string {
  const lines = similarCommits(memory, memory.tokenize(query), most).flatMap(({ place }) => {
    const commit = memory.commits[place];
    return commit === undefined ? [] : [commitLine(commit)];
  });
  return [`${query}:`, ...(lines.length > 0 ? lines : ["no message has any of these words"])].join(
    "\n",
  );
}

async function examine(memory: RepoMemory, sha: string, withIssue: boolean): Promise<string> {
  const { commits, issues, patchChars, patchOf } = memory;
  if (commits === null) return withoutCommits;
  const known = commits.byShort.get(sha.trim().toLowerCase().slice(0, 9));
  const commit = known?.sha.startsWith(sha.trim().toLowerCase()) ? known : undefined;
  if (commit === undefined) return unknownCommit(commits, sha);
  const patch = await patchOf(commit);
  const cut = patch.length > patchChars ? "\n[the rest of the patch is left out]" : "";
  const linked = withIssue ? linkedIssues(commit.message) : [];
  const told = issues
    .filter(({ id }) => linked.includes(id))
    .map(({ id, title, body }) => `Issue #${id}: ${title}\n${headOf(body, patchChars)}`);
  return [
    `${commitLine(commit)}\n${commit.message}`,
    ...told,
    headOf(patch, patchChars) + cut,
  ].join("\n\n");
}

function unknownCommit({ commits }: CommitMemory, sha: string): string {
  const start = sha.trim().toLowerCase();
  const near = commits
    .filter((commit) => start !== "" && commit.sha.startsWith(start))
    .slice(0, candidates);
  const hint = near.length === 0 ? "" : ` Meant is perhaps ${near.map(shortOf).join(", ")}.`;
  return `No commit ${sha} is remembered.${hint}`;
}

function viewSummary({ summaries }: SummaryMemory, file: string): string {
  const found = summaries.find((summary) => summary.file === file.replace(/^\.?\//, ""));
  return found === undefined ? `${file} has no summary.` : `${found.file}: ${found.summary}`;
}
