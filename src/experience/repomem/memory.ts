import type { LongTermMemory, Occasion, Recollection } from "../../domain/experience.ts";
import type { RepoMemory } from "./answers.ts";
import { shortOf, subjectOf, type Target } from "./commit.ts";
import { similarCommits } from "./evidence.ts";
import { dampen } from "./rank-files.ts";
import { searchSummaries } from "./summary.ts";

/** The memory of the repository at hand, made for one issue. */
interface OpenRepoMem {
  readonly memory: RepoMemory;
  /** How the tools are called in the sandbox; null: they are not there. */
  readonly command: string | null;
  /** Commits that were kept back, by reason. */
  readonly denied: Readonly<Record<string, number>>;
}

export interface RepoMemParts {
  /** Reads the history; asked once for each issue. Rejects with a PmcoderError. */
  readonly open: (target: Target) => Promise<OpenRepoMem>;
  readonly recallCommits: number;
  readonly recallSummaries: number;
}

/** Files of a commit that are named beside it. */
const filesNamed = 4;

/**
 * The repository's history as a memory across issues (arXiv:2510.01003): as exploration begins, the
 * commits and summaries that speak most like the issue. It learns from no episode, because what an
 * episode changes becomes history by being committed.
 */
export function repoMem({ open, recallCommits, recallSummaries }: RepoMemParts): LongTermMemory {
  const opened = new Map<string, Promise<OpenRepoMem>>();
  const openFor = ({ target }: Occasion) => {
    const number = /-(\d+)$/.exec(target.instanceId ?? "")?.[1];
    const numbers = number === undefined ? [] : [number];
    const known = opened.get(target.issue) ?? open({ ...target, numbers });
    opened.set(target.issue, known);
    return known;
  };
  return {
    recall: async (occasion) => {
      if (occasion.phase !== "explore") return { recollections: [], denied: {} };
      const { memory, command, denied } = await openFor(occasion);
      const { issue } = occasion.target;
      const commits = commitsLike(memory, issue, recallCommits);
      const summaries = summariesLike(memory, issue, recallSummaries);
      const isSilent = commits.length + summaries.length === 0;
      // Before the summaries, which may be cut where they are long.
      const tools = command === null || isSilent ? [] : [toolsAt(command)];
      return { recollections: [...commits, ...tools, ...summaries], denied };
    },
    learn: async () => ({ added: 0, changed: 0, notes: [] }),
  };
}

function commitsLike({ commits }: RepoMemory, issue: string, most: number): Recollection[] {
  if (commits === null) return [];
  const query = dampen(commits.tokenize(issue));
  return similarCommits(commits, query, most).flatMap(({ place, score }) => {
    const commit = commits.commits[place];
    if (commit === undefined) return [];
    const files = commits.changed[place] ?? [];
    const more = files.length > filesNamed ? `, and ${files.length - filesNamed} more` : "";
    const named = files.slice(0, filesNamed).join(", ") + more;
    const text = `${shortOf(commit)} "${subjectOf(commit)}" changed ${named || "no file that is left"}`;
    return [recollection(commit.sha, score, text)];
  });
}

function summariesLike({ summaries }: RepoMemory, issue: string, most: number): Recollection[] {
  if (summaries === null) return [];
  return searchSummaries(summaries, issue, most).map(({ found, score }) =>
    recollection(found.file, score, `${found.file}: ${found.summary}`),
  );
}

const toolsAt = (command: string) =>
  recollection(
    "repomem",
    0,
    `More of it: ${command} search-commit "WORDS" · examine-commit SHA · search-summary "WORDS" · view-summary FILE`,
  );

const recollection = (id: string, score: number, text: string): Recollection => ({
  id,
  source: "repomem",
  stage: "loc",
  instanceId: null,
  score,
  text,
});
