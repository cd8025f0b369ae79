import { z } from "zod";
import type { Message } from "../../domain/message.ts";
import { type Instruction, instructionTypes } from "../../domain/search-tree.ts";
import { explain, type ToolName } from "./tools.ts";

/** What both agents are told of where the search stands. */
export interface Situation {
  readonly issue: string;
  /** Experience that may help, for an agent to weigh; empty: none. */
  readonly background: string;
  readonly history: string;
  /** The changes so far. */
  readonly diff: string;
  /** What was said of other attempts from here, oldest first. */
  readonly feedback: readonly string[];
  /** Which action this is, from 1, and how many there may be. */
  readonly action: number;
  readonly actions: number;
}

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")));

/** An instruction; a type that is none means search (our choice: the code only logs it). */
export const InstructionReply: z.ZodType<Instruction> = z.object({
  thoughts: text,
  instructions: z.string().trim().min(1),
  context: text,
  type: z.string().trim().toLowerCase().pipe(z.enum(instructionTypes)).catch("search"),
});

function situationText({ issue, background, history, diff, feedback }: Situation): string {
  return [
    `The issue:\n${issue}`,
    ...(background === ""
      ? []
      : [
          `Background, which may or may not apply here; what you find in the code counts more:\n${background}`,
        ]),
    `What was done so far:\n${history}`,
    ...(diff === "" ? [] : [`The changes so far:\n${diff}`]),
    ...(feedback.length === 0
      ? []
      : [
          `Other attempts from this point were judged so; take another way:\n${feedback.map((one) => `- ${one}`).join("\n")}`,
        ]),
  ].join("\n\n");
}

/** The instructor's question (SWE-Exp, 3.4.2; our words). */
export function instructorQuestion(situation: Situation): readonly Message[] {
  const { action, actions } = situation;
  return [
    {
      role: "system",
      content: [
        "You direct the repair of a software issue. An assistant carries out one action at a time for",
        "you and sees nothing but your instruction. Decide what is to be done next:",
        "- search: find classes, functions or code in the repository;",
        "- view: read lines of files that are known;",
        "- modify: change one place of a file, or add a file;",
        "- finish: the issue is resolved, and the change needs nothing more.",
        "Say what is to be achieved, not which tool to use. Quote in the context what the assistant",
        "needs: paths, names, line numbers and code, taken only from what was really seen.",
        "Look before you change, but change in time: an issue is resolved by a change of the source.",
        `This is action ${action} of at most ${actions}.`,
        "",
        "Answer with one JSON object and no other text:",
        '{"thoughts": "…", "instructions": "…", "context": "…", "type": "search|view|modify|finish"}',
      ].join("\n"),
    },
    { role: "user", content: situationText(situation) },
  ];
}

const callShape = [
  "",
  "Answer with one JSON object and no other text:",
  '{"thoughts": "…", "tool": "…", "input": {…}}',
];

/** The assistant's question: one tool call that does what the instructor wants. */
export function assistantQuestion(
  instruction: Instruction,
  situation: Situation,
  tools: readonly ToolName[],
): readonly Message[] {
  return [
    {
      role: "system",
      content: [
        "You carry out one action in a repository, as the instruction says, with exactly one tool:",
        explain(tools),
        "Keep to the instruction. Code in your answer must be complete and keep its indentation.",
        ...callShape,
      ].join("\n"),
    },
    {
      role: "user",
      content: [
        situationText({ ...situation, background: "", feedback: [] }),
        `The instruction:\n${instruction.instructions}`,
        `Its context:\n${instruction.context}`,
      ].join("\n\n"),
    },
  ];
}

/** Plans and acts in one, for the ablation without two agents. */
export function singleAgentQuestion(
  situation: Situation,
  tools: readonly ToolName[],
): readonly Message[] {
  const { action, actions } = situation;
  return [
    {
      role: "system",
      content: [
        "You repair a software issue in a repository, one action at a time, each with exactly one tool:",
        explain(tools),
        "Look before you change, but change in time: an issue is resolved by a change of the source.",
        `This is action ${action} of at most ${actions}.`,
        ...callShape,
      ].join("\n"),
    },
    { role: "user", content: situationText(situation) },
  ];
}
