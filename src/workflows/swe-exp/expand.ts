import { isDeepStrictEqual } from "node:util";
import type { SweExpSearchConfig } from "../../domain/config/swe-exp-search.ts";
import type { ReadReply } from "../../domain/json-reply.ts";
import type { Purpose } from "../../domain/model.ts";
import {
  type Instruction,
  type NodeRecord,
  pathTo,
  type SearchAction,
  type SearchNode,
  type SearchTree,
} from "../../domain/search-tree.ts";
import { askUntilRead, type Say } from "../../experience/ask-until-read.ts";
import { EnhancedInstruction, modificationAdvice } from "../../experience/swe-exp/reuse.ts";
import type { Overlay } from "../edits.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import {
  assistantQuestion,
  InstructionReply,
  instructorQuestion,
  type Situation,
  singleAgentQuestion,
} from "./agents.ts";
import { carryOut } from "./carry-out.ts";
import { historyText } from "./history.ts";
import { type Assisted, replySchema, type ToolCall, toolsFor } from "./tools.ts";
import type { Workspace } from "./workspace.ts";

/** Who takes part in an expansion. */
export interface Expansion {
  readonly run: WorkflowRun;
  readonly rules: SweExpSearchConfig;
  readonly workspace: Workspace;
  /** Experience as it is told to whoever plans. */
  readonly background: string;
  /** Experience with changes; empty: there is none. Asked for when the first change is wanted. */
  readonly lessons: () => Promise<string>;
}

/** A node that is not in the tree yet, and the changes that it stands for. */
export interface Expanded {
  readonly record: NodeRecord;
  readonly overlay: Overlay;
}

export const sayFor =
  ({ run }: Pick<Expansion, "run">, purpose: Purpose, temperature: number | null): Say =>
  (messages) =>
    run.ask({ purpose, messages, temperature });

/** One child more of a node: what is wanted, the call that does it, and what came of it. */
export async function expand(
  expansion: Expansion,
  tree: SearchTree,
  parent: SearchNode,
  overlay: Overlay,
): Promise<Expanded> {
  const situation = situationOf(expansion, tree, parent);
  const draft = { ...unborn, id: tree.length, parent: parent.id, diff: parent.diff };
  const planned = await plan(expansion, situation);
  if (planned !== null && !planned.ok) {
    return broken({ ...draft, error: `No instruction could be read: ${planned.problem}` }, overlay);
  }
  const instruction = planned === null ? null : await enhance(expansion, planned.value);
  const assisted = await assist(expansion, instruction, situation);
  if (!assisted.ok) {
    const error = `No action could be read: ${assisted.problem}`;
    return broken({ ...draft, instruction, error }, overlay);
  }
  const { call } = assisted.value;
  const action: SearchAction = { tool: call.tool, input: call.input };
  const begun = { ...draft, instruction, action, finished: call.tool === "Finish" };
  if (siblings(tree, parent).some((node) => isDeepStrictEqual(node.action, action))) {
    const observation = "Not done: another attempt from this point did exactly the same.";
    return { record: { ...begun, observation, duplicate: true }, overlay };
  }
  return execute(expansion, { begun, call, overlay, depth: parent.depth + 1 });
}

const unborn = {
  instruction: null,
  action: null,
  observation: "",
  expectsCorrection: false,
  seen: [],
  terminal: false,
  finished: false,
  duplicate: false,
  error: null,
} as const satisfies Partial<NodeRecord>;

const broken = (record: NodeRecord, overlay: Overlay): Expanded => ({
  record: { ...record, observation: record.error ?? "", terminal: true },
  overlay,
});

const siblings = (tree: SearchTree, { children }: SearchNode) =>
  children.flatMap((id) => tree[id] ?? []);

function situationOf(
  { run, rules, background }: Expansion,
  tree: SearchTree,
  parent: SearchNode,
): Situation {
  const feedback = siblings(tree, parent).flatMap(({ reward }) => reward?.feedback || []);
  return {
    issue: run.issue,
    background,
    history: historyText(pathTo(tree, parent.id), rules),
    diff: parent.diff,
    feedback,
    action: parent.depth + 1,
    actions: rules.maxDepth,
  };
}

/** null: nobody plans apart from who acts. */
function plan(expansion: Expansion, situation: Situation): Promise<ReadReply<Instruction>> | null {
  const { rules } = expansion;
  if (!rules.dualAgent) return null;
  const say = sayFor(expansion, "instruct", rules.agentTemperature);
  return askUntilRead(say, instructorQuestion(situation), InstructionReply, rules.tries);
}

/** An instruction to change code takes up how other code was changed; if that fails, it stays. */
async function enhance(expansion: Expansion, instruction: Instruction): Promise<Instruction> {
  if (instruction.type !== "modify") return instruction;
  const lessons = await expansion.lessons();
  if (lessons === "") return instruction;
  const { run, rules } = expansion;
  const say = sayFor(expansion, "reuse", rules.agentTemperature);
  const question = modificationAdvice(run.issue, instruction.instructions, lessons);
  const read = await askUntilRead(say, question, EnhancedInstruction, rules.tries);
  return read.ok ? { ...instruction, instructions: read.value.enhanced_instruction } : instruction;
}

function assist(
  expansion: Expansion,
  instruction: Instruction | null,
  situation: Situation,
): Promise<ReadReply<Assisted>> {
  const { rules } = expansion;
  const tools = toolsFor(instruction?.type ?? null);
  const question =
    instruction === null
      ? singleAgentQuestion(situation, tools)
      : assistantQuestion(instruction, situation, tools);
  const say = sayFor(expansion, "assist", rules.agentTemperature);
  return askUntilRead(say, question, replySchema(tools), rules.tries);
}

async function execute(
  { rules, workspace }: Expansion,
  {
    begun,
    call,
    overlay,
    depth,
  }: {
    readonly begun: NodeRecord;
    readonly call: ToolCall;
    readonly overlay: Overlay;
    readonly depth: number;
  },
): Promise<Expanded> {
  const { results, observationChars: chars, viewLines, maxDepth } = rules;
  const looking = { workspace, overlay, patch: begun.diff, results, chars };
  const { overlay: next, ...outcome } = await carryOut(call, looking, viewLines);
  const { observation, expectsCorrection, seen } = outcome;
  const diff = next === overlay ? begun.diff : await workspace.patch(next);
  const terminal = begun.finished || depth >= maxDepth;
  return {
    record: { ...begun, observation, expectsCorrection, seen, diff, terminal },
    overlay: next,
  };
}
