import { join } from "node:path";
import { readTrouble, type Trouble } from "../hosts/trouble.ts";
import type { StateFolder } from "../store/state-folder.ts";
import type { Finding } from "./doctor-report.ts";
import { shellWord, visible } from "./terminal-text.ts";

/** Different troubles that are told, the newest. */
const told = 5;
/** Characters of each. */
const chars = 300;

/** What went wrong in other agents that have plan and memory, each kind once, the newest first. */
export function hostFindings({ folder }: StateFolder): readonly Finding[] {
  const { file, troubles } = readTrouble(join(folder, "hosts"));
  const kinds = new Map<string, readonly Trouble[]>();
  for (const trouble of troubles) {
    const kind = `${trouble.host} ${trouble.what}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), trouble]);
  }
  const newest = [...kinds.values()].toSorted((a, b) => lastOf(b) - lastOf(a));
  const more = newest.length - told;
  return [
    ...newest.slice(0, told).map((same, at) => findingOf(same, at === 0 ? file : null)),
    ...(more > 0
      ? [{ name: "other agents", state: "optional", found: `${more} more in ${file}` } as const]
      : []),
  ];
}

const lastOf = (same: readonly Trouble[]) => same.at(-1)?.at ?? 0;

function findingOf(same: readonly Trouble[], file: string | null): Finding {
  const { host, what } = same[0] ?? { host: "", what: "" };
  const when = new Date(lastOf(same)).toISOString().slice(0, 19).replace("T", " ");
  const often = same.length === 1 ? when : `${same.length} times, last ${when}`;
  const text = visible(what.split("\n")[0] ?? "").slice(0, chars);
  const found = `${host}, ${often}: ${text}`;
  const fix = `rm ${shellWord(file ?? "")}`;
  return { name: "other agents", state: "optional", found, ...(file === null ? {} : { fix }) };
}
