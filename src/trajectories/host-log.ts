import { PmcoderError } from "../domain/errors.ts";
import type { Verdict } from "../domain/plan.ts";
import type { ForeignEpisode, Turn, TurnCall } from "./foreign.ts";

/** Marks the first line of a session's log. */
const format = "pmcoder-host";
/** Of the records below; a log of another version is not read. */
const version = 1;

/** The first record of a log: whose calls follow. */
export interface SessionRecord {
  readonly type: "session";
  readonly format: typeof format;
  readonly version: typeof version;
  /** The agent that ran the calls: `qwen-code`, `pi`, … */
  readonly host: string;
  readonly session: string;
  /** Absolute path of the repository as commands see it. */
  readonly root: string;
}

/** An episode begins: its task, and what else its plan and memory begin with. */
export interface TaskRecord {
  readonly type: "task";
  readonly text: string;
  /** Tracked files, relative to the root; left out, they are inferred from use. */
  readonly files?: readonly string[];
  /** Where the reproduction script lies, as commands name it. */
  readonly reproducer?: string;
}

/** A call that ran, told as the bash command that would do the same. */
export interface StepRecord {
  readonly type: "step";
  /** The call's id; null: it has none. */
  readonly id: string | null;
  /** What the agent said with the call. */
  readonly thought: string;
  readonly command: string;
  readonly output: string;
  /** null: not told. 124 where the host ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Further calls of the same reply follow. */
  readonly more?: boolean;
}

/** What the reproduction script says of the tree from now on. */
interface VerdictRecord {
  readonly type: "verdict";
  readonly verdict: Verdict;
}

/** The context was compacted: what blocks have shown may be shown again. */
interface CompactedRecord {
  readonly type: "compacted";
}

export type HostRecord = SessionRecord | TaskRecord | StepRecord | VerdictRecord | CompactedRecord;

export function sessionRecord({
  host,
  session,
  root,
}: Pick<SessionRecord, "host" | "session" | "root">): SessionRecord {
  return { type: "session", format, version, host, session, root };
}

/** Characters of a command that tell calls apart (our choice). */
const tellingChars = 200;

/**
 * What a call is known by, so that one that was told twice counts once; null: nothing. Some model
 * servers give every reply's call the same id.
 */
export function callKey({ id, command }: Pick<StepRecord, "id" | "command">): string | null {
  return id === null ? null : `${id} ${command.slice(0, tellingChars)}`;
}

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === "string";

/** By hand, not by a schema library: hooks read this at every call, and loading one takes longer. */
const shapes: Readonly<Record<HostRecord["type"], (fields: Fields) => boolean>> = {
  session: (fields) =>
    fields["format"] === format &&
    fields["version"] === version &&
    isText(fields["host"]) &&
    isText(fields["session"]) &&
    isText(fields["root"]),
  task: ({ text }) => isText(text),
  step: ({ id, thought, command, output, exitCode, timedOut }) =>
    (id === null || isText(id)) &&
    isText(thought) &&
    isText(command) &&
    isText(output) &&
    (exitCode === null || typeof exitCode === "number") &&
    typeof timedOut === "boolean",
  verdict: ({ verdict }) => verdict === "pass" || verdict === "fail" || verdict === "undefined",
  compacted: () => true,
};

/** A line of a log; null: none of ours, or half of one. */
export function hostRecord(line: string): HostRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Fields;
  const type = fields["type"];
  if (typeof type !== "string" || !Object.hasOwn(shapes, type)) return null;
  return shapes[type as HostRecord["type"]](fields) ? (value as HostRecord) : null;
}

/** Whether a text is the log of a session, of whatever version. */
export function isHostLog(text: string): boolean {
  const first = text.slice(0, text.indexOf("\n"));
  return first.includes(`"format":"${format}"`);
}

/**
 * The episodes of a session's log, one a task; lines that are damaged are left out, and so is a call
 * that was told twice. Throws PmcoderError `usage` for a log of another version.
 */
export function readHostLog(text: string, name: string): readonly ForeignEpisode[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const records = lines.flatMap((line) => hostRecord(line) ?? []);
  const session = records.find((record) => record.type === "session");
  if (session === undefined) {
    const found = lines[0]?.slice(0, 100);
    throw new PmcoderError(
      "usage",
      `${name}: expected a session's log of version ${version}, found ${found}.`,
    );
  }
  const cut = lines.length > 0 && hostRecord(lines.at(-1) ?? "") === null;
  const parts = partsOf(records);
  return parts.map(({ task, steps }, at) => ({
    format,
    instanceId: parts.length === 1 ? session.session : `${session.session}#${at + 1}`,
    task,
    model: null,
    workdir: session.root,
    exitStatus: null,
    submission: null,
    turns: turnsOf(steps),
    cut: cut && at === parts.length - 1,
  }));
}

interface Part {
  readonly task: string;
  readonly steps: readonly StepRecord[];
}

/** The steps after each task; those before the first one have none. */
function partsOf(records: readonly HostRecord[]): readonly Part[] {
  const parts: { task: string; steps: StepRecord[] }[] = [];
  const seen = new Set<string>();
  for (const record of records) {
    if (record.type === "task") parts.push({ task: record.text, steps: [] });
    if (record.type !== "step") continue;
    const key = callKey(record);
    if (key !== null && seen.has(key)) continue;
    if (key !== null) seen.add(key);
    if (parts.length === 0) parts.push({ task: "", steps: [] });
    parts.at(-1)?.steps.push(record);
  }
  return parts;
}

/** Calls up to one that no other of the same reply follows are a turn. */
function turnsOf(steps: readonly StepRecord[]): readonly Turn[] {
  const turns: { thought: string; calls: TurnCall[] }[] = [];
  let isOpen = false;
  for (const { id, thought, command, output, exitCode, timedOut, more = false } of steps) {
    if (!isOpen) turns.push({ thought, calls: [] });
    const turn = turns.at(-1);
    const fallback = `call_${turns.length}_${(turn?.calls.length ?? 0) + 1}`;
    turn?.calls.push({ id: id ?? fallback, command, result: { output, exitCode, timedOut } });
    isOpen = more;
  }
  return turns.map(({ thought, calls }, at) => ({
    index: at + 1,
    thought,
    content: thought,
    calls,
    rejected: false,
  }));
}
