import { pastEpisode } from "../../experience/past-episodes.ts";
import { issue } from "../../experience/repair-memories.ts";
import { pmcoder, put, type World, world } from "../run-world.ts";
import { writeTrajectory } from "./trajectory-file.ts";

export const bank = "bank.db";
export const first = issue("team__form-1", {
  issue: "KeyError when an empty form is saved",
  day: 1,
});
const second = issue("team__form-2", { issue: "KeyError when a form is loaded", day: 9 });

export const experience = (at: World, ...args: readonly string[]) =>
  pmcoder(at, ["experience", ...args, "--bank", bank]);

export const json = (out: string) =>
  out === ""
    ? []
    : out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));

/** Rows of both issues, the later one without a trajectory. */
export function dataset(at: World): string {
  const rows = [first, second].map(({ instanceId, issue: text, createdAt }) => ({
    instance_id: instanceId,
    repo: "team/form",
    base_commit: "c0ffee",
    problem_statement: text,
    created_at: new Date(createdAt ?? 0).toISOString(),
  }));
  return put(at, "rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** A bank that has learned the first issue's repair. */
export async function learned() {
  const at = world();
  const file = writeTrajectory(at.repo, pastEpisode({ from: first }));
  const rows = dataset(at);
  const told = await experience(at, "learn", file, "--dataset", rows);
  const list = async (...args: readonly string[]) =>
    json((await experience(at, "list", "--json", ...args)).out);
  return { at, file, rows, told, list };
}
