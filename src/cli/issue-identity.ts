import type { IssueIdentity } from "../domain/experience.ts";
import { hostGit } from "../environments/host-git.ts";
import type { Task } from "./task-source.ts";

/**
 * The issue as memories across issues compare it: by the row of its instance, else by the remote of
 * the repository and the time `now` (epoch ms). `top`: the repository's folder; null: it is an image's.
 */
export async function identityOf(
  task: Task,
  { top, now }: { readonly top: string | null; readonly now: number },
): Promise<IssueIdentity> {
  if (task.kind === "instance") {
    const { instance_id: instanceId, repo, created_at, problem_statement: issue } = task.row;
    return { instanceId, repo, issue, createdAt: epochOf(created_at) };
  }
  const repo = top === null ? null : await repositoryNameIn(top);
  return { instanceId: null, repo, issue: task.text, createdAt: now };
}

/** Epoch ms of a date as rows have it: as text, or as seconds or milliseconds. */
export function epochOf(date: string | null): number | null {
  if (date === null) return null;
  const number = Number(date);
  if (date.trim() !== "" && Number.isFinite(number)) return number < 1e11 ? number * 1000 : number;
  const epoch = Date.parse(date);
  return Number.isNaN(epoch) ? null : epoch;
}

async function repositoryNameIn(top: string): Promise<string | null> {
  const { exitCode, stdout } = await hostGit(["remote", "get-url", "origin"], { cwd: top });
  return exitCode === 0 ? repositoryName(stdout.toString("utf8").trim()) : null;
}

/** `owner/name` of a remote's address; null where it has no such end. */
export function repositoryName(address: string): string | null {
  const path = /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+:)(.+)$/i.exec(address)?.[1];
  const [owner, name] =
    path
      ?.replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/")
      .slice(-2) ?? [];
  return owner && name ? `${owner}/${name}` : null;
}
