import type { MemoryConfig } from "../../domain/config/memory.ts";
import type { MemoryStats } from "../../domain/plan.ts";
import type { RememberedCall } from "./call.ts";
import { emptyGraph, type FileGraph, sight } from "./file-graph.ts";
import { importsIn } from "./imports.ts";
import { emptyLexicon, enter, type Lexicon, numberOf } from "./lexicon.ts";
import { mentionedFiles } from "./mentions.ts";
import { type MemoryNode, outcomeSummary, speechSummary, viewOf } from "./node.ts";
import { count, emptyStats } from "./statistics.ts";
import { stemTerms, termsOf } from "./terms.ts";
import { tokensOf } from "./text.ts";

/** The episodic memory: plain JSON, only ever appended to. */
export interface Memory {
  /** Absolute path of the repository as outputs print it; null when unknown. */
  readonly root: string | null;
  /** Ascending by id; ids are message positions, so they may leave some out. */
  readonly nodes: readonly MemoryNode[];
  /** The position that the next message will have. */
  readonly position: number;
  readonly lexicon: Lexicon;
  readonly graph: FileGraph;
  readonly stats: MemoryStats;
}

/** Position of the task statement: the second message, after the system prompt. */
const taskPosition = 1;

/** A memory that knows the task and nothing else. */
export function beginMemory(
  { task, root }: { readonly task: string; readonly root: string | null },
  config: MemoryConfig,
): Memory {
  const empty: Memory = {
    root,
    nodes: [],
    position: taskPosition,
    lexicon: emptyLexicon,
    graph: emptyGraph,
    stats: emptyStats,
  };
  return append(
    empty,
    { ...silent, role: "user", turn: 0, text: task, summary: speechSummary(task) },
    config,
  );
}

/**
 * The memory after one executed call: the assistant's message, unless an earlier call of the same
 * turn brought it, the call's result, and the statistics.
 */
export function remember(memory: Memory, call: RememberedCall, config: MemoryConfig): Memory {
  const { turn, action, exitCode } = call;
  const text = [call.thought, call.command].filter((part) => part !== "").join("\n");
  const isEdit = call.isSourceEdit || call.edited.length > 0;
  const done = {
    turn,
    named: [...new Set([...call.read, ...call.files])],
    read: call.read,
    edited: isEdit,
    edits: call.edited,
    reverted: call.isRevert,
  };
  const said = { ...silent, ...done, role: "assistant", text } as const;
  const told =
    memory.nodes.at(-1)?.turn === turn
      ? memory
      : append(memory, { ...said, summary: speechSummary(call.thought) }, config);
  const result: Message = {
    ...done,
    role: "tool",
    text: call.output,
    summary: outcomeSummary(action, exitCode, viewOf(call.output, config.nodeCapChars)),
    action,
    exitCode,
  };
  return { ...append(told, result, config), stats: count(memory.stats, call) };
}

/** Leaves out the positions of messages that are no part of the episode, as of rejected replies. */
export function skipMessages(memory: Memory, messages: number): Memory {
  return { ...memory, position: memory.position + messages };
}

/** The paths of a node's files, in its order. */
export function filesOf(memory: Memory, node: MemoryNode): readonly string[] {
  return node.files.map((file) => memory.graph.files.words[file] ?? "");
}

interface Message extends Pick<MemoryNode, "role" | "turn" | "summary" | "edited" | "reverted"> {
  readonly text: string;
  /** Files that its command names, first those that it read. */
  readonly named: readonly string[];
  readonly read: readonly string[];
  readonly edits: readonly string[];
  readonly action: string | null;
  readonly exitCode: number | null;
}

/** A message that reports no command. */
const silent = {
  named: [],
  read: [],
  edited: false,
  edits: [],
  reverted: false,
  action: null,
  exitCode: null,
} as const;

function append(memory: Memory, message: Message, config: MemoryConfig): Memory {
  const { role, turn, summary, named, read, edited, reverted, action, exitCode } = message;
  const view = viewOf(message.text, config.nodeCapChars);
  const isKnown = (file: string) => numberOf(memory.graph.files, file) !== null;
  const mentioned = mentionedFiles(view, { root: memory.root, isKnown });
  const files = [...new Set([...named, ...mentioned])].slice(0, config.nodeFiles);
  const sighting = {
    files,
    previous: role === "tool" ? filesOfLastResult(memory.nodes) : [],
    imports: role === "tool" ? importsIn(view, soleFile(read)) : [],
  };
  const { graph, numbers } = sight(memory.graph, sighting, config.edgeCosts);
  const terms = new Set([...termsOf(view), ...files.flatMap(stemTerms)]);
  const entered = enter(memory.lexicon, [...terms]);
  const node: MemoryNode = {
    id: memory.position,
    role,
    turn,
    view,
    summary,
    files: numbers,
    read: files.filter((file) => read.includes(file)).length,
    edited,
    edits: message.edits.flatMap((file) => numberOf(graph.files, file) ?? []),
    reverted,
    action,
    exitCode,
    tokens: tokensOf(view),
    terms: entered.numbers,
  };
  return {
    ...memory,
    nodes: [...memory.nodes, node],
    position: memory.position + 1,
    lexicon: entered.lexicon,
    graph,
  };
}

function filesOfLastResult(nodes: readonly MemoryNode[]): readonly number[] {
  return nodes.findLast(({ role }) => role === "tool")?.files ?? [];
}

/** An output of several files does not tell which line is whose. */
function soleFile(read: readonly string[]): string | null {
  return read.length === 1 ? (read[0] ?? null) : null;
}
