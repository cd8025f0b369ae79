import { z } from "zod";
import type { Message } from "../../domain/message.ts";

export const AdaptedExperience = z.object({ new_experience: z.string().trim().min(1) });
export const EnhancedInstruction = z.object({ enhanced_instruction: z.string().trim().min(1) });

const user = (parts: readonly string[]): Message => ({ role: "user", content: parts.join("\n\n") });

/** Fits what was understood of another issue to this one (SWE-Exp, 3.4; our words). */
export function comprehensionQuestion(issue: string, experience: string): readonly Message[] {
  return [
    {
      role: "system",
      content: [
        "You are given an issue and experience from issues of other repositories. Say in at most five",
        "sentences what of it may hold for this issue, in its own terms, and what does not. It is",
        "background for whoever will look at the code, so give hypotheses and no orders.",
        "",
        "Answer with one JSON object and no other text:",
        '{"new_experience": "…"}',
      ].join("\n"),
    },
    user([`The issue:\n${issue}`, `Experience:\n${experience}`]),
  ];
}

/** Sharpens an instruction to change code by how other code was changed. */
export function modificationAdvice(
  issue: string,
  instruction: string,
  experience: string,
): readonly Message[] {
  return [
    {
      role: "system",
      content: [
        "You are given an instruction to change code and experience with changes elsewhere. Rewrite the",
        "instruction so that it keeps its aim and place, and takes from the experience only what makes",
        "the change safer or more general here. Where nothing fits, repeat the instruction.",
        "",
        "Answer with one JSON object and no other text:",
        '{"enhanced_instruction": "…"}',
      ].join("\n"),
    },
    user([
      `The issue:\n${issue}`,
      `The instruction:\n${instruction}`,
      `Experience:\n${experience}`,
    ]),
  ];
}
