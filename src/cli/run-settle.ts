import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fill, type PromptInput, type Prompts, prompts, takesIssue } from "../agent/prompts.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Model } from "../domain/model.ts";
import { whyUnreadable } from "../domain/unreadable.ts";
import { hostGit } from "../environments/host-git.ts";
import { expectsFormatErrors } from "../models/replay.ts";
import type { Kind } from "./choose-environment.ts";
import type { RunPlan } from "./run-plan.ts";
import { withoutLoop } from "./workflows.ts";

export interface Settled {
  readonly config: RunConfig;
  /** What the user should know of it. */
  readonly notices: readonly string[];
}

/**
 * The configuration as this model and place allow it. Throws PmcoderError `usage` when money is to
 * be limited and cannot be counted.
 */
export function settle({ config, costLimitGiven }: RunPlan, model: Model, kind: Kind): Settled {
  const { agent, environment } = config;
  const unknown = model.price === null && agent.costLimit !== null && !agent.allowUnknownCost;
  if (unknown && costLimitGiven) {
    throw new PmcoderError(
      "usage",
      `The price of ${model.name} is not known, so a cost limit cannot be kept. Add --allow-unknown-cost to go on without one.`,
    );
  }
  const notices = unknown
    ? [`The price of ${model.name} is not known: steps and time are limited, money is not.`]
    : [];
  return {
    config: {
      ...withoutLoop(config),
      environment: { ...environment, kind, network: kind === "local" ? "on" : environment.network },
      agent: {
        ...agent,
        costLimit: model.price === null ? null : agent.costLimit,
        maxFormatErrors: expectsFormatErrors(model) ? null : agent.maxFormatErrors,
      },
    },
    notices,
  };
}

function readPrompt(path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), "utf8");
  } catch (cause) {
    const message = `The prompt file ${path} cannot be read: ${whyUnreadable(cause)}.`;
    throw new PmcoderError("usage", message, { cause });
  }
}

/** The user's own prompts, filled in; those that stay ours are missing. */
export type OwnPrompts = Partial<Prompts>;

/**
 * Reads the prompt files that the configuration names. Throws PmcoderError `usage` when one cannot
 * be read, or when the issue would stand in neither prompt.
 */
export function readOwnPrompts(
  { systemPrompt, taskPrompt }: RunConfig["agent"],
  issue: string,
  cwd: string,
): OwnPrompts {
  const system = systemPrompt === null ? null : readPrompt(systemPrompt, cwd);
  const task = taskPrompt === null ? null : readPrompt(taskPrompt, cwd);
  if (task !== null && !takesIssue(`${system ?? ""}${task}`)) {
    throw new PmcoderError(
      "usage",
      `The prompt file ${taskPrompt} holds no {{task}}, so the model would not see the issue. Write {{task}} where it shall stand.`,
    );
  }
  return {
    ...(system === null ? {} : { system: fill(system, issue) }),
    ...(task === null ? {} : { task: fill(task, issue) }),
  };
}

/** Our prompts, with the user's own in their place. */
export function promptsOf(
  { agent: { patch }, environment: { commandTimeoutSec, network } }: RunConfig,
  { issue, workdir, wantsPatch }: Pick<PromptInput, "issue" | "workdir" | "wantsPatch">,
  own: OwnPrompts,
): Prompts {
  const input = { issue, workdir, wantsPatch, patch, commandTimeoutSec, network };
  return { ...prompts(input), ...own };
}

/** A row names the commit it was made for; the tree is taken as it stands, and a difference told. */
export async function baseNotice({ task, site }: RunPlan): Promise<readonly string[]> {
  const { repository } = site;
  if (task.kind !== "instance" || repository === null) return [];
  const { stdout } = await hostGit(["rev-parse", "-q", "--verify", "HEAD"], {
    cwd: repository.top,
  });
  const found = stdout.toString().trim() || "no commit";
  if (task.row.base_commit === found) return [];
  return [
    `${task.row.instance_id} was made for ${task.row.base_commit}; ${repository.top} stands at ${found} and is taken as it is.`,
  ];
}
