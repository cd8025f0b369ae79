import { type Phase, phases } from "../../domain/phase.ts";
import type { SubTask } from "../../domain/plan.ts";
import { issueWords } from "./issue-words.ts";

/** Shape of a plan (our choice; the paper gives none). */
const limits = { titleChars: 120, keywords: 8, items: 8, leastItems: 2, objects: 20 };

/** The two messages of the planner's only model call. They hold the issue and nothing else. */
export interface DecompositionPrompt {
  readonly system: string;
  readonly user: string;
}

export function decompositionPrompt(issue: string, issueChars: number): DecompositionPrompt {
  return {
    system: [
      "You plan the repair of a software issue before anyone has opened the repository.",
      "Split the work into three to eight sub-tasks, in the order in which they should be done.",
      "Each belongs to one phase: explore (find and read the code concerned), hypothesize",
      "(reproduce the fault, pin down its cause), implement (change the source) or verify (show that",
      "the fault is gone and nothing else broke). The last one must be of phase verify.",
      "Keywords are names that will occur in the right files: functions, classes, modules, options.",
      "",
      "Answer with one JSON object and no other text:",
      '{"subtasks": [{"title": "at most 120 characters", "phase": "explore", "keywords": ["up to eight"]}]}',
    ].join("\n"),
    user: `The issue:\n\n${issue.slice(0, issueChars)}`,
  };
}

export interface Decomposition {
  readonly queue: readonly SubTask[];
  /** Why the fixed skeleton stands in for a plan of the model's own. */
  readonly fallback: "api" | "parse" | null;
}

/**
 * The plan items out of the model's reply; null is a call that failed. Strict JSON, else the first
 * fenced block, else the first balanced object that
 * is a plan. Items without a title or with an unknown phase are
 * dropped; when fewer than two are left, the fixed skeleton takes over. Never throws.
 */
export function parseDecomposition(reply: string | null, issue: string): Decomposition {
  const skeleton = skeletonOf(issue);
  if (reply === null) return { queue: numbered(skeleton), fallback: "api" };
  const drafts = draftsOf(reply);
  if (drafts.length < limits.leastItems) return { queue: numbered(skeleton), fallback: "parse" };
  return { queue: numbered(withVerification(drafts, skeleton)), fallback: null };
}

type Draft = Pick<SubTask, "title" | "phase" | "keywords">;

const skeletonTitles: Record<Phase, string> = {
  explore: "Find the code that the issue is about",
  hypothesize: "State the root cause",
  implement: "Make the smallest change that removes the root cause",
  verify: "Run the failing behaviour again, and the tests around it",
};

/** One item a phase (arXiv:2608.06811, III-B: a fixed skeleton; its contents are our choice). */
function skeletonOf(issue: string): readonly Draft[] {
  const keywords = issueWords(issue, limits.keywords);
  return phases.map((phase) => ({ title: skeletonTitles[phase], phase, keywords }));
}

function draftsOf(reply: string): readonly Draft[] {
  for (const text of [reply, fenced(reply), ...balanced(reply)]) {
    const items = fieldsOf(parseJson(text))["subtasks"];
    if (Array.isArray(items)) return items.flatMap(draftOf);
  }
  return [];
}

function draftOf(value: unknown): readonly Draft[] {
  const { title: given, phase: named, keywords: words } = fieldsOf(value);
  const title =
    typeof given === "string" ? given.replace(/\s+/g, " ").trim().slice(0, limits.titleChars) : "";
  const phase = phases.find((known) => known === named);
  if (title === "" || phase === undefined) return [];
  const keywords = (Array.isArray(words) ? words : [])
    .filter((word) => typeof word === "string")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return [{ title, phase, keywords: keywords.slice(0, limits.keywords) }];
}

/** The fields of a JSON object; of anything else none. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function withVerification(drafts: readonly Draft[], skeleton: readonly Draft[]): readonly Draft[] {
  const kept = drafts.slice(0, limits.items);
  if (kept.some(({ phase }) => phase === "verify")) return kept;
  const verification = skeleton.filter(({ phase }) => phase === "verify");
  return [...kept.slice(0, limits.items - 1), ...verification];
}

/** Items with their ids; the last verification item is the terminal one. */
function numbered(drafts: readonly Draft[]): readonly SubTask[] {
  const terminal = drafts.findLastIndex(({ phase }) => phase === "verify");
  return drafts.map((draft, index) => ({
    id: `p${index + 1}`,
    ...draft,
    files: [],
    recovery: null,
    terminal: index === terminal,
    status: "pending",
    skipped: false,
    evidence: 0,
    passed: 0,
    restored: [],
    failReason: null,
  }));
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The inside of the first fenced block. */
function fenced(reply: string): string | null {
  const fence = "```";
  const body = reply.indexOf("\n", reply.indexOf(fence));
  const end = reply.indexOf(fence, body);
  return body < 0 || end < 0 || !reply.includes(fence) ? null : reply.slice(body, end);
}

/** The first outermost `{…}` whose braces balance, those inside strings not counted. */
function balanced(reply: string): readonly string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < reply.length && objects.length < limits.objects; index++) {
    const char = reply[index];
    if (char === '"' && depth > 0) index = endOfString(reply, index);
    if (char === "{" && depth++ === 0) start = index;
    if (char === "}" && depth > 0 && --depth === 0) objects.push(reply.slice(start, index + 1));
  }
  return objects;
}

/** The index of the quote that closes the JSON string opened at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index;
  }
  return text.length;
}
