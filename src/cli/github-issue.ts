import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import type { Env } from "./env.ts";

export interface IssueAddress {
  readonly owner: string;
  readonly repo: string;
  readonly number: string;
}

const Issue = z.object({ title: z.string(), body: z.string().nullish() });

const address =
  /^https?:\/\/(?:www\.)?github\.com\/(?<owner>[\w.-]+)\/(?<repo>[\w.-]+)\/(?:issues|pull)\/(?<number>\d+)(?:[/?#].*)?$/i;

/** Reads the address of an issue or pull request on GitHub; null for any other text. */
export function parseIssueAddress(url: string): IssueAddress | null {
  const { owner = "", repo = "", number = "" } = address.exec(url)?.groups ?? {};
  return number === "" ? null : { owner, repo, number };
}

const timeoutMs = 20_000;

/**
 * The title and text of an issue from GitHub's API (or that of PMCODER_GITHUB_API), with
 * GITHUB_TOKEN if there is one. Throws PmcoderError `usage`, saying what to do, for every failure.
 */
export async function fetchIssue(issue: IssueAddress, env: Env): Promise<string> {
  const { owner, repo, number } = issue;
  const base = (env.PMCODER_GITHUB_API || "https://api.github.com").replace(/\/+$/, "");
  const name = `${owner}/${repo}#${number}`;
  const response = await ask(`${base}/repos/${owner}/${repo}/issues/${number}`, env).catch(
    (cause) => {
      throw failure(`${name} cannot be fetched: ${base} does not answer.`, cause);
    },
  );
  if (!response.ok) throw refused(name, response, env);
  const parsed = Issue.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw failure(`${name}: ${base} did not answer with an issue.`);
  return `${parsed.data.title}\n\n${parsed.data.body ?? ""}`.trim();
}

function ask(url: string, env: Env): Promise<Response> {
  const headers: Record<string, string> = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "pmcoder",
  };
  if (env.GITHUB_TOKEN) headers["authorization"] = `Bearer ${env.GITHUB_TOKEN}`;
  return fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
}

function refused(name: string, { status, headers }: Response, env: Env): PmcoderError {
  const spent = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
  if (status === 429 || (status === 403 && spent)) {
    const more = env.GITHUB_TOKEN ? "wait a while" : "set GITHUB_TOKEN";
    return failure(`${name}: GitHub's limit of requests is used up; ${more}.`);
  }
  if (status === 401) return failure(`${name}: GitHub does not accept GITHUB_TOKEN.`);
  if (status === 403 || status === 404 || status === 410) {
    const reach = env.GITHUB_TOKEN
      ? "GITHUB_TOKEN may not read it"
      : "it is private (then set GITHUB_TOKEN)";
    return failure(`${name}: there is no such issue, or ${reach}.`);
  }
  return failure(`${name}: GitHub answered with status ${status}.`);
}

function failure(what: string, cause?: unknown): PmcoderError {
  const advice = "Or save the text to a file and give --issue FILE.";
  return new PmcoderError("usage", `${what} ${advice}`, { cause });
}
