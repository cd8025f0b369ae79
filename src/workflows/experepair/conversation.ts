import type { Message } from "../../domain/message.ts";
import type { Purpose } from "../../domain/model.ts";
import type { WorkflowRun } from "../workflow-run.ts";

export const system = (content: string): Message => ({ role: "system", content });
export const user = (content: string): Message => ({ role: "user", content });
export const assistant = (content: string): Message => ({ role: "assistant", content, calls: [] });

/** Sections with a blank line between them; empty ones are left out. */
export const sections = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

export const tagged = (tag: string, text: string): string =>
  text === "" ? "" : `<${tag}>\n${text.replace(/\n$/, "")}\n</${tag}>`;

/** The issue opens each conversation's first user message, by which recordings know it. */
export const issueOf = ({ issue }: Pick<WorkflowRun, "issue">): string =>
  tagged("issue", issue.trim());

/**
 * Asks until an answer can be read, each time with what was wrong with the last; null: it could
 * not be read in so many tries.
 */
export async function askUntil<T>(
  run: WorkflowRun,
  { purpose, messages, tries }: Asked,
  read: (reply: string) => T | Complaint,
): Promise<T | null> {
  let conversation = messages;
  for (let left = tries; left > 0; left--) {
    const reply = await run.ask({ purpose, messages: conversation });
    const answer = read(reply);
    if (!(answer instanceof Complaint)) return answer;
    const complaint = `Your reply could not be used: ${answer.text}. Answer again, in the form that was asked for.`;
    conversation = [...messages, assistant(reply), user(complaint)];
  }
  return null;
}

export interface Asked {
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  /** How often it may be asked. */
  readonly tries: number;
}

/** What is wrong with a reply, for the model. */
export class Complaint {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
