import { PmcoderError } from "../../domain/errors.ts";
import { gatherSettings } from "../config-file.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { noModelMessage } from "../keys.ts";
import { mergeConfig } from "../merge-config.ts";
import type { Setting } from "../settings.ts";
import { runBenchmark } from "./benchmark.ts";
import { runAgentBenchmark } from "./benchmark-by-agent.ts";
import { byAgent } from "./by-agent.ts";
import { byHistory } from "./by-history.ts";
import type { LocalizeFlags } from "./command.ts";

/**
 * `pmcoder localize`: the files that an issue is about. Returns 0, or 1 when nothing was found.
 * Throws PmcoderError `usage`.
 */
export async function localize(
  text: string | undefined,
  flags: LocalizeFlags,
  io: Io,
): Promise<ExitCode> {
  const config = configOf(flags, io);
  const { repomem } = config.experience;
  const { dataset, commits, repos } = flags;
  refuseContradictions(text, flags);
  if (dataset !== undefined && commits !== undefined) {
    await runBenchmark({ ...flags, dataset, commits }, repomem, io);
    return 0;
  }
  if (flags.model === false) return byHistory(text, flags, repomem, io);
  if (config.model.name === null) {
    throw usage(
      `${noModelMessage(io.env).replaceAll("pmcoder run", "pmcoder localize")}\nOr ask no model: --no-model`,
    );
  }
  if (dataset !== undefined && repos !== undefined) {
    return runAgentBenchmark({ ...flags, dataset, repos }, config, io);
  }
  return byAgent(text, flags, config, io);
}

function refuseContradictions(text: string | undefined, flags: LocalizeFlags): void {
  const { commits, dataset, instance, filter, model, repos, summaries } = flags;
  if (commits !== undefined || repos !== undefined) refuseInBenchmark(text, flags);
  else if (filter !== undefined) {
    throw usage("--filter wants --dataset FILE and --commits DIR or --repos DIR.");
  } else if (dataset !== undefined && instance === undefined) {
    throw usage(
      "--dataset wants --instance ID beside it, or --repos DIR, or --no-model and --commits DIR for all its instances.",
    );
  }
  if (repos === undefined && (flags.output !== undefined || flags.totalCost !== undefined)) {
    throw usage("--output and --total-cost want --dataset FILE and --repos DIR.");
  }
  if (summaries && model === false) {
    throw usage("--summaries wants a model that writes them; with --no-model none is asked.");
  }
}

function refuseInBenchmark(text: string | undefined, flags: LocalizeFlags): void {
  const { commits, repos, dataset, model } = flags;
  if (commits !== undefined && repos !== undefined) {
    throw usage("Give --commits DIR with --no-model, or --repos DIR with --model, not both.");
  }
  const name = commits === undefined ? "--repos" : "--commits";
  const single = [text, flags.issue, flags.instance, flags.repo, flags.base, flags.issues];
  if (dataset === undefined || single.some((one) => one !== undefined)) {
    throw usage(`${name} wants --dataset FILE, and no single issue or repository, beside it.`);
  }
  if (commits !== undefined && model !== false) {
    throw usage(
      "Over a benchmark by --commits no model is asked; add --no-model, or give --repos.",
    );
  }
  if (repos !== undefined && model === false) {
    throw usage("--repos wants a model; without one give --commits DIR.");
  }
}

const usage = (message: string) => new PmcoderError("usage", message);

function configOf({ model, baseUrl, config }: LocalizeFlags, { env, cwd }: Io) {
  const named: readonly Setting[] =
    typeof model === "string" ? [{ path: ["model", "name"], value: model, source: "--model" }] : [];
  const server: readonly Setting[] =
    baseUrl === undefined
      ? []
      : [{ path: ["model", "baseUrl"], value: baseUrl, source: "--base-url" }];
  const settings = gatherSettings({ env, cwd, arguments: config, flags: [...named, ...server] });
  return mergeConfig(settings).config;
}
