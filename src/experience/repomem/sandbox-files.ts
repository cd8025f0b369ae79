import { commitLine, type RepoMemory } from "./answers.ts";

export interface SandboxFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The memory as plain files for `assets/repomem/repomem`, which answers the four tools as commands
 * where nothing but a shell, awk and git is at hand. A line is a commit or a summary: what is shown,
 * what it is found by, its terms.
 */
export function sandboxFiles(memory: RepoMemory): SandboxFile[] {
  const { commits, summaries, patchChars, topCommits, topSummaries } = memory;
  const commitLines = (commits?.commits ?? []).map((commit, place) =>
    row(commitLine(commit), commit.sha, commits?.terms[place] ?? []),
  );
  const summaryLines = (summaries?.summaries ?? []).map(({ file, summary }) =>
    row(file, summary, summaries?.tokenize(`${file}\n${summary}`) ?? []),
  );
  return [
    { name: "commits.txt", text: commitLines.join("") },
    { name: "summaries.txt", text: summaryLines.join("") },
    {
      name: "settings",
      text: `patch_chars=${patchChars}\ntop_commits=${topCommits}\ntop_summaries=${topSummaries}\n`,
    },
  ];
}

const row = (shown: string, found: string, terms: readonly string[]) =>
  `${oneLine(shown)}\t${oneLine(found)}\t${terms.map(oneLine).join(" ")}\n`;

const oneLine = (text: string) => text.replace(/[\s\0]+/g, " ").trim();
