import { z } from "zod";
import type { Memory, NewMemory } from "../../domain/bank.ts";
import { experienceNames } from "../../domain/experience.ts";
import { insightIn } from "../../experience/experepair/insight-shelf.ts";
import { fromBank, toBank } from "../../experience/repair-memory.ts";
import { experienceIn, memoryOf } from "../../experience/swe-exp/experience.ts";

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
  learnedAt: z.number(),
  uses: z.number(),
  helped: z.number(),
  harmed: z.number(),
});

export function lineOf(memory: Memory): string {
  return JSON.stringify({ format, ...memory });
}

/** Whether a line looks like one of an export. */
export function isMemoryLine(line: string): boolean {
  return line.startsWith(`{"format":"${format}"`);
}

/** The memory of a line, with what it is found by; a text: what is wrong with it. */
export function memoryOfLine(line: string): NewMemory | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "found no JSON";
  }
  const { data, error } = MemoryLine.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    return `found at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "another shape"}`;
  }
  const { system, kind, from, payload, labels, learnedFrom } = data;
  const { learnedAt, uses, helped, harmed } = data;
  const standing = { learnedAt, uses, helped, harmed };
  return { system, kind, from, payload, labels, learnedFrom, standing, terms: termsOf(data) };
}

/** The terms as they were made at first; none for what is never searched. */
function termsOf(memory: z.infer<typeof MemoryLine>): NewMemory["terms"] {
  const repair = fromBank(memory);
  if (memory.system === "experepair" && repair !== null) {
    return toBank(repair, memory.learnedFrom).terms;
  }
  const experience = memory.system === "swe-exp" ? experienceIn(memory) : null;
  if (experience === null) return {};
  const { from, learnedFrom: source } = memory;
  const episode = { from, source, resolved: false, root: "", steps: [], patch: "" };
  return memoryOf(experience, episode).terms;
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
