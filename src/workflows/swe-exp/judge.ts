import { z } from "zod";
import type { Message } from "../../domain/message.ts";
import type { Reward, SearchNode } from "../../domain/search-tree.ts";
import { stepText } from "./history.ts";

/** A judgement, brought into the range from -100 to 100. */
export const RewardReply: z.ZodType<Reward> = z.object({
  value: z
    .union([z.number(), z.string().trim().min(1).transform(Number)])
    .refine(Number.isFinite, { message: "expected a number from -100 to 100" })
    .transform((value) => Math.round(Math.min(100, Math.max(-100, value)))),
  explanation: z.string().catch(""),
  feedback: z.string().catch(""),
});

/** The value call (SWE-Exp, Appendix A; our words): how much a step helped. */
export function valueQuestion(
  issue: string,
  history: string,
  node: SearchNode,
  chars: number,
): readonly Message[] {
  const criteria = node.finished
    ? [
        "The step claims that the issue is resolved. Judge the change as a whole: does it remove the",
        "cause, for all inputs that the issue implies, and break nothing else? A finish without a",
        "change of the source is worth -100.",
      ]
    : [
        "Judge the newest step: did it lead towards the cause or a right change, was its result new,",
        "is a change correct and in the right place? A useless or repeated step is worth less than 0.",
      ];
  return [
    {
      role: "system",
      content: [
        "You judge the steps of an agent that repairs a software issue, from -100 (harmful) over 0",
        "(useless) to 100 (exactly right).",
        ...criteria,
        "The explanation says why. The feedback is for another attempt from the same point, which",
        "does not know this one: what should it do otherwise?",
        "",
        "Answer with one JSON object and no other text:",
        '{"explanation": "…", "feedback": "…", "value": 0}',
      ].join("\n"),
    },
    {
      role: "user",
      content: [
        `The issue:\n${issue}`,
        `What was done before:\n${history}`,
        `The newest step:\n${stepText(node, chars)}`,
        ...(node.diff === "" ? [] : [`The changes after it:\n${node.diff}`]),
      ].join("\n\n"),
    },
  ];
}
