import { z } from "zod";
import type { Memory, NewMemory } from "../../domain/bank.ts";
import { experienceNames } from "../../domain/experience.ts";
import { insightIn, insightKind } from "../../experience/experepair/insight-shelf.ts";
import { insightAgents } from "../../experience/experepair/insights.ts";
import { fromBank, toBank } from "../../experience/repair-memory.ts";
import { experienceIn, memoryOf, shelf } from "../../experience/swe-exp/experience.ts";

/** The mark of a line of `experience export`. */
const format = "pmcoder-experience-1";

const Issue = z.object({
  instanceId: z.string().nullable(),
  repo: z.string().nullable(),
  issue: z.string(),
  createdAt: z.number().nullable(),
});

/** One memory as `experience export` writes it. What it is found by is made anew. */
const MemoryLine = z.object({
  format: z.literal(format),
  system: z.enum(experienceNames),
  kind: z.string(),
  from: Issue,
  payload: z.json(),
  labels: z.array(z.string()),
  learnedFrom: z.string(),
  learnedAt: z.int(),
  uses: z.int().nonnegative(),
  helped: z.int().nonnegative(),
  harmed: z.int().nonnegative(),
});
type MemoryLine = z.infer<typeof MemoryLine>;

export function lineOf(memory: Memory): string {
  return JSON.stringify({ format, ...memory });
}

const Marked = z.object({ format: z.literal(format) });

/** Whether a line is meant as one of an export, whoever wrote its JSON anew. */
export function isMemoryLine(line: string): boolean {
  return line.includes(format) && Marked.safeParse(jsonIn(line)).success;
}

/** undefined: it is no JSON. An editor may have put a byte order mark before it. */
function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line.trim());
  } catch {
    return undefined;
  }
}

/** The memory of a line, with what it is found by; a text: what is wrong with it. */
export function memoryOfLine(line: string): NewMemory | string {
  const value = jsonIn(line);
  if (value === undefined) return "found no JSON";
  const { data, error } = MemoryLine.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    return `found at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "another shape"}`;
  }
  const { system, kind, from, payload, labels, learnedFrom } = data;
  const found = foundBy(data);
  if (found === null) return `found no ${system} memory of the kind "${kind}" in its payload`;
  const { learnedAt, uses, helped, harmed } = data;
  const standing = { learnedAt, uses, helped, harmed };
  return { system, kind, from, payload, labels, learnedFrom, standing, ...found };
}

/**
 * What it is found and chosen by, as it was made at first: whoever edits an export edits what a
 * memory says. null: it could never be recalled.
 */
function foundBy(line: MemoryLine): (Pick<NewMemory, "terms"> & Partial<NewMemory>) | null {
  const { system, kind, from, learnedFrom: source } = line;
  if (system === "swe-exp") {
    const experience = experienceIn(line);
    if (kind !== shelf.kind || experience === null) return null;
    const episode = { from, source, resolved: false, root: "", steps: [], patch: "" };
    const { terms, labels } = memoryOf(experience, episode);
    return { terms, labels };
  }
  if (system !== "experepair") return null;
  const repair = fromBank(line);
  if (repair !== null) {
    const { terms, labels } = toBank(repair, source);
    return { terms, labels };
  }
  return isMark(line) || isInsight(line) ? { terms: {} } : null;
}

const isInsight = (line: MemoryLine) =>
  insightAgents.some((agent) => line.kind === insightKind(agent)) &&
  insightIn({ id: "", ...line }) !== null;

/** Kept so that an episode is not distilled twice; nothing to look at. */
export function isMark({ system, kind }: Pick<Memory, "system" | "kind">): boolean {
  return system === "experepair" && kind === "distilled";
}

/** What a person reads of a memory: an insight's own words, else the issue's first. */
export function gist(memory: Memory): string {
  return insightIn(memory)?.text ?? memory.from.issue.trim().split("\n")[0] ?? "";
}

/** Instances that a memory goes back to. */
export function instancesOf(memory: Memory): readonly string[] {
  const sources = insightIn(memory)?.sources ?? [];
  return [memory.from, ...sources].flatMap(({ instanceId }) => instanceId ?? []);
}
