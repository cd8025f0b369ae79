import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { makeStateFolder, stateFolderOf } from "../../src/store/state-folder.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";
import { type World, world } from "./run-world.ts";

export const clock = { now: () => Date.UTC(2026, 10, 30, 12) };
export const workOf = ({ home }: World) => join(home, ".cache", "pmcoder", "work");
export const stateOf = ({ repo }: World) => stateFolderOf(repo);

export const patch: EpisodeEvent = {
  type: "patch",
  source: "extraction",
  bytes: 1,
  files: [],
  leftOut: [],
  applies: true,
};
export const end = (
  status: "submitted" | "interrupted" | "error" | "step_limit",
): EpisodeEvent => ({
  type: "end",
  status,
  reason: "",
  seconds: 1,
});

/** A run in the world's journal, with a working copy in its place. */
export async function recorded(
  at: World,
  run: string,
  ...events: readonly EpisodeEvent[]
): Promise<string> {
  const state = stateOf(at);
  makeStateFolder(state);
  const copy = join(workOf(at), run, "project");
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(copy, "a"), "x".repeat(100_000));
  const begin = beginEvent(run);
  const site = { image: null, repository: at.repo, copy, container: null };
  const journal = openJournal(state.database, clock);
  await journal.append(run, [begin.type === "begin" ? { ...begin, site } : begin, ...events]);
  await journal.close();
  return copy;
}

export const ids = {
  killed: "20261130-100000-aaaa",
  interrupted: "20261130-100001-bbbb",
  failed: "20261130-100002-cccc",
  submitted: "20261130-100003-dddd",
  limited: "20261130-100004-eeee",
  strange: "20261101-000000-ffff",
} as const;

/** A world in which runs of each kind have left their working copies. */
export async function littered(): Promise<World> {
  const at = world();
  await recorded(at, ids.killed);
  await recorded(at, ids.interrupted, patch, end("interrupted"));
  await recorded(at, ids.failed, end("step_limit"));
  await recorded(at, ids.submitted, patch, end("submitted"));
  await recorded(at, ids.limited, patch, end("step_limit"));
  mkdirSync(join(workOf(at), ids.strange));
  mkdirSync(join(workOf(at), "mine"));
  return at;
}
