import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RepoMemConfig } from "../src/domain/config/repomem.ts";
import type { Commit } from "../src/experience/repomem/commit.ts";
import { buildMemory } from "../src/experience/repomem/locate.ts";
import { rankFiles } from "../src/experience/repomem/rank-files.ts";
import { readCommits } from "../src/experience/repomem/read-commits.ts";
import { gitIn, readHistory } from "../src/experience/repomem/read-history.ts";
import { type Benchmark, median } from "./figure.ts";

const commits = 7000;
const rounds = 3;
const issue = "latex printer puts wrong brackets around a fraction in a nested power";

type Draft = Pick<Commit, "message" | "files">;

/** Messages and paths of a real history where there is one, oldest first; else made ones. */
async function drafts(): Promise<{ readonly from: string; readonly all: readonly Draft[] }> {
  const data = join(process.env["PMCODER_DATA"] ?? "", "commits", "sympy__sympy.jsonl.gz");
  if (!process.env["PMCODER_DATA"] || !existsSync(data)) return { from: "made", all: made() };
  const graph = await readCommits(data);
  const single = [...graph.values()].filter(({ parents }) => parents.length < 2);
  return { from: "sympy", all: single.slice(0, commits + 1).reverse() };
}

const words =
  "parse latex printer matrix solve bracket symbol power fraction nested test docs".split(" ");
const wordAt = (n: number) => words[(n * 2654435761) % words.length] ?? "";

function made(): readonly Draft[] {
  return Array.from({ length: commits + 1 }, (_, n) => ({
    message: Array.from({ length: 30 }, (__, k) => `${wordAt(n + k * k)}_${(n * k) % 97}`).join(
      " ",
    ),
    files: Array.from({ length: 1 + (n % 4) }, (__, k) => {
      const at = (n * 7 + k * 13) % 1500;
      return `pkg${at % 40}/${wordAt(at)}/module_${at}.py`;
    }),
  }));
}

/** A real repository with this history: each commit writes a line into each of its files. */
function repositoryOf(all: readonly Draft[]): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const git = (args: readonly string[], input = "") =>
    execFileSync("git", args, { cwd: folder, input, stdio: ["pipe", "pipe", "pipe"] });
  git(["init", "-q", "-b", "main"]);
  const stream = all.map(({ message, files }, at) => {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const writes = files.map((path) => `M 100644 inline ${path}\n${data(`${at}\n`)}`).join("");
    return `commit refs/heads/main\ncommitter A <a@b.invalid> ${1_000_000_000 + at} +0000\n${data(message)}${writes}\n`;
  });
  git(["fast-import", "--quiet"], stream.join(""));
  return folder;
}

/** Memory of 7,000 commits of a real git repository, from `git log` to the first ranking. */
export const repomemBuild: Benchmark = async () => {
  const config = RepoMemConfig.parse({});
  const { from, all } = await drafts();
  const folder = repositoryOf(all);
  const seconds: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      const history = await readHistory(gitIn(folder), "HEAD", config);
      const target = { issue, createdAt: null, numbers: [] };
      const { memory, files } = buildMemory(history, target, config);
      rankFiles(memory, issue, files, config);
      seconds.push((performance.now() - startedAt) / 1000);
      if (memory.commits.length !== commits) throw new Error(`${memory.commits.length} commits`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const value = median(seconds);
  const told = { figure: "repomem_build", value, unit: "s", n: commits, peer: null, ratio: null };
  return [{ ...told, goal: `<= 10 s (history: ${from})`, met: value <= 10 }];
};
