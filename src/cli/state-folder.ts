import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Env } from "./env.ts";

export interface StatePlace {
  /** What `--state` said. */
  readonly state?: string | undefined;
  readonly env: Env;
  readonly cwd: string;
}

/**
 * The folder in which runs are kept: `--state`, else PMCODER_STATE, else `.pmcoder` at the top of
 * the git working tree around `cwd`, else in `cwd` itself. It need not exist yet.
 */
export function stateFolder({ state, env, cwd }: StatePlace): string {
  const named = state ?? env.PMCODER_STATE;
  return named ? resolve(cwd, named) : join(topLevel(cwd) ?? cwd, ".pmcoder");
}

/** The nearest folder upwards with a `.git`, which is a file in worktrees and submodules. */
function topLevel(folder: string): string | null {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? null : topLevel(above);
}
