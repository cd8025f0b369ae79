import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type StateFolder, stateFolderOf } from "../store/state-folder.ts";
import type { Env } from "./env.ts";

/** Where runs are kept: `--state`, else PMCODER_STATE, else `.pmcoder` at the top of the tree. */
export function statePlace(
  state: string | undefined,
  { env, cwd }: { readonly env: Env; readonly cwd: string },
): StateFolder {
  return stateFolderOf(cwd, state ?? (env.PMCODER_STATE || undefined));
}

/** Where working copies are made unless the configuration names another folder. */
export function workRoot({ XDG_CACHE_HOME, HOME }: Env): string {
  return join(XDG_CACHE_HOME || join(HOME || homedir(), ".cache"), "pmcoder", "work");
}

/** Where memories across issues are kept, for all repositories, unless another file is named. */
export function bankPlace(
  bank: string | null | undefined,
  { env, cwd }: { readonly env: Env; readonly cwd: string },
): string {
  if (bank !== null && bank !== undefined) return resolve(cwd, bank);
  const { XDG_DATA_HOME, HOME } = env;
  const given = XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : null;
  const data = given ?? join(HOME || homedir(), ".local", "share");
  return join(data, "pmcoder", "experience.db");
}
