import { homedir } from "node:os";
import { join } from "node:path";
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
