import { PmcoderError } from "../../domain/errors.ts";
import type { IssueIdentity } from "../../domain/experience.ts";
import { systemClock } from "../compose.ts";
import type { Io } from "../io.ts";
import { identityOf } from "../issue-identity.ts";
import { readTask } from "../task-source.ts";
import type { RecallFlags } from "./command.ts";

/**
 * The issue for which is recalled: an instance's, asked with other words where a text is given, or a
 * text, as if it had been written now. Throws PmcoderError `usage`.
 */
export async function targetOf(
  text: string | undefined,
  { instance, dataset, repo }: Pick<RecallFlags, "instance" | "dataset" | "repo">,
  io: Io,
): Promise<IssueIdentity> {
  const isInstance = instance !== undefined || dataset !== undefined;
  if (text === undefined && !isInstance) {
    throw new PmcoderError("usage", "Give the issue: a text, or --instance ID --dataset FILE.");
  }
  const task = await readTask(isInstance ? { instance, dataset } : { text }, io);
  const identity = await identityOf(task, { top: io.cwd, now: systemClock.now() });
  return { ...identity, issue: text ?? identity.issue, repo: repo ?? identity.repo };
}
