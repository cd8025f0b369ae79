import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fill, type Prompts, prompts } from "../agent/prompts.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Model } from "../domain/model.ts";
import { hostGit } from "../environments/host-git.ts";
import { expectsFormatErrors } from "../models/replay.ts";
import type { Kind } from "./choose-environment.ts";
import type { RunPlan } from "./run-plan.ts";

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
      ...config,
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
    throw new PmcoderError("usage", `The prompt file ${path} cannot be read.`, { cause });
  }
}

/** Our prompts, or the user's own where the configuration names files. */
export function promptsOf(config: RunConfig, issue: string, workdir: string, cwd: string): Prompts {
  const { agent, environment } = config;
  const { patch, systemPrompt, taskPrompt } = agent;
  const { commandTimeoutSec, network } = environment;
  const ours = prompts({ issue, workdir, patch, commandTimeoutSec, network });
  return {
    system: systemPrompt === null ? ours.system : readPrompt(systemPrompt, cwd),
    task: taskPrompt === null ? ours.task : fill(readPrompt(taskPrompt, cwd), issue),
  };
}

/** A row names the commit it was made for; the tree is taken as it stands, and a difference told. */
export async function baseNotice({ task, repository }: RunPlan): Promise<readonly string[]> {
  if (task.kind !== "instance") return [];
  const { stdout } = await hostGit(["rev-parse", "-q", "--verify", "HEAD"], {
    cwd: repository.top,
  });
  const found = stdout.toString().trim() || "no commit";
  if (task.row.base_commit === found) return [];
  return [
    `${task.row.instance_id} was made for ${task.row.base_commit}; ${repository.top} stands at ${found} and is taken as it is.`,
  ];
}
