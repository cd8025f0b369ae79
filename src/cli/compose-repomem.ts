import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quote, runScript, writeBytes } from "../agent/patch/script.ts";
import type { RepoMemConfig } from "../domain/config/repomem.ts";
import type { Environment } from "../domain/environment.ts";
import type { LongTermMemory } from "../domain/experience.ts";
import type { RepoMemory } from "../experience/repomem/answers.ts";
import { buildMemory } from "../experience/repomem/locate.ts";
import { repoMem } from "../experience/repomem/memory.ts";
import { readHistory } from "../experience/repomem/read-history.ts";
import { sandboxFiles } from "../experience/repomem/sandbox-files.ts";
import { openSummaryFile } from "../experience/repomem/summary-file.ts";
import { gitInside } from "./inner-git.ts";
import { repoMemoryOf, sparseness, summaryPlace } from "./localize/repo-memory.ts";
import { root } from "./version.ts";

/** The repository that a run works on. */
export interface Ground {
  readonly environment: Environment;
  /** The commit that the run began at, or HEAD. */
  readonly base: string;
  /** The folder with the records of runs, where summaries of files are kept. */
  readonly state: string;
}

/**
 * RepoMem over the repository of a run: its history is read where the commands run, as the agent
 * is first told of it, and its tools are put beside the repository as a command. `warn` is told of
 * a history that holds little.
 */
export function composeRepoMem(
  config: RepoMemConfig,
  ground: Ground,
  warn: (text: string) => void,
): LongTermMemory {
  const environment = forErrands(ground.environment);
  const git = gitInside(environment);
  const { recallCommits, recallSummaries, window } = config;
  return repoMem({
    recallCommits,
    recallSummaries,
    open: async (target) => {
      const history = await readHistory(git, ground.base, { window });
      for (const line of sparseness(history, config)) warn(line);
      const built = buildMemory(history, target, config);
      const { known } = await openSummaryFile(summaryPlace(ground.state));
      const memory = repoMemoryOf({ history, built, git }, known, config);
      const isSilent = memory.commits === null && memory.summaries === null;
      const denied = { not_earlier: built.later, same_issue: built.leaked };
      return {
        memory,
        command: isSilent ? null : await layTools(environment, memory),
        denied: Object.fromEntries(Object.entries(denied).filter(([, n]) => n > 0)),
      };
    },
  });
}

/** Puts the tools into the environment. Returns the command that calls them. */
async function layTools(environment: Environment, memory: RepoMemory): Promise<string> {
  const folder = `${environment.records}/repomem`;
  const command = `${folder}/repomem`;
  const plan = { task: "lay out RepoMem's tools", expected: [0] };
  await runScript(environment, `mkdir -p ${quote(folder)}`, plan);
  const program = readFileSync(join(root, "assets", "repomem", "repomem"), "utf8");
  for (const { name, text } of [...sandboxFiles(memory), { name: "repomem", text: program }]) {
    await writeBytes(environment, `${folder}/${name}`, Buffer.from(text));
  }
  await runScript(environment, `chmod +x ${quote(command)}`, plan);
  return command;
}

/** Its outputs are not the agent's. */
function forErrands(environment: Environment): Environment {
  return {
    ...environment,
    execute: (script, options) => environment.execute(script, { ...options, errand: true }),
  };
}
