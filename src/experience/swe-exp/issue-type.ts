import { z } from "zod";
import type { Message } from "../../domain/message.ts";

/** What kind of issue it is, in words that hold in any repository. */
export const IssueType = z.object({
  issue_type: z.string().transform(errorName).pipe(z.string().min(1)),
  description: z.string().trim().min(1),
});
export type IssueType = z.infer<typeof IssueType>;

/** `<Name>Error`, whatever white space or signs the model put around or into it. */
function errorName(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return name === "" || name.endsWith("Error") ? name : `${name}Error`;
}

/** The issue agent's question (SWE-Exp, 3.3.3; our words). */
export function typingQuestion(issue: string, issueChars: number): readonly Message[] {
  return [
    {
      role: "system",
      content: [
        "You sort software issues by the kind of fault behind them, so that experience from one",
        "repository can help in another. Name the kind in one compound word that ends in Error,",
        "such as BoundaryConditionError. Then say in one or two sentences under which conditions",
        "this kind of fault shows itself. Name no class, function, module or file of the repository.",
        "",
        "Answer with one JSON object and no other text:",
        '{"issue_type": "…Error", "description": "…"}',
      ].join("\n"),
    },
    { role: "user", content: `The issue:\n\n${issue.slice(0, issueChars)}` },
  ];
}

/** The text by which an issue is found and looked for (the published code's layout). */
export function indexText({ issue_type, description }: IssueType): string {
  return `issue_type: ${issue_type}\ndescription: ${description}`;
}
